setlocal commentstring=//\ %s comments=:///,://
setlocal shiftwidth=2 expandtab
