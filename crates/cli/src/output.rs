//! Files are written whole or not at all: to a temporary name first, renamed when complete.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file under way, beside its final place.
pub struct Draft {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Draft {
    /// Begins a file that will be called `path`.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Err(Failure::input(format!("cannot write {}: it is a folder", path.display())));
        }
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let reason = format!("there is no folder {}", folder.display());
            return Err(Failure::input(format!("cannot write {}: {reason}", path.display())));
        }
        let file = tempfile::Builder::new().prefix(".sweepnet-").tempfile_in(folder);
        let file = file.map_err(|error| cannot_write(path, &error))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), path: path.to_owned() })
    }

    /// Puts the file under its final name.
    pub fn finish(self) -> Result<(), Failure> {
        let path = self.path.clone();
        self.finish_as(&path)
    }

    /// Puts the file under another name than was planned.
    pub fn finish_as(self, path: &Path) -> Result<(), Failure> {
        let fail = |error: &std::io::Error| cannot_write(path, error);
        let file = self.file.into_inner().map_err(|error| fail(error.error()))?;
        // Temporary files are private; results are not.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let readable = std::fs::Permissions::from_mode(0o644);
            file.as_file().set_permissions(readable).map_err(|error| fail(&error))?;
        }
        file.persist(path).map_err(|error| fail(&error.error))?;
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// The failure to write a file.
pub fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot write {}: {error}", path.display()))
}
