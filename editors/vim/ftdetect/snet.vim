autocmd BufRead,BufNewFile *.snet setfiletype snet
