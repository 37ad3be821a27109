//! What a run has no more use for, given back to the system. It takes unsafe code, which this file has for that.
//!
//! A program's code is mapped from its file, and comes into memory where it runs. It stays there: reading a model, looking at
//! its structure, choosing a partition each leave their code behind, in all several times what a search runs. Millions of
//! states take less than that. And what these have allocated is free, but for the allocator, which keeps it. So whoever ends
//! one part of a run gives both back; pages of the program that are still needed come again from the system's cache of the
//! file, in less than a millisecond.
//!
//! Where one page is needed, Linux brings 16 of them, but none of another mapping. Functions that run are few among those
//! that do not, so [`begin`] has the program's mappings divided into pieces of four pages: what a search runs is 0.6 MB then,
//! and 2.3 MB without.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The most of the program that comes again: what a search runs, with what tells its end.
pub const RETURNING_BYTES: u64 = 2 << 20;

/// Bytes of the program that come into memory together, at most.
const PIECE: usize = 16 << 10;

/// A run that ends before this is left alone: it would spend much of its time on what is of no use to anybody.
pub const YOUNG: Duration = Duration::from_millis(20);

/// The program, as far as it can be given back.
struct Program {
    regions: Vec<Region>,
    began: Instant,
}

impl Program {
    fn get() -> &'static Self {
        static PROGRAM: OnceLock<Program> = OnceLock::new();
        PROGRAM.get_or_init(|| {
            let regions = program_regions(&fs::read_to_string("/proc/self/smaps").unwrap_or_default());
            regions.iter().for_each(divide);
            let program = Self { regions, began: Instant::now() };
            // What loaded the program runs no more.
            program.drop_pages();
            program
        })
    }

    fn is_young(&self) -> bool {
        self.began.elapsed() < YOUNG
    }

    fn drop_pages(&self) {
        // A debugger's breakpoints are in these pages.
        if !self.regions.is_empty() && !is_traced() {
            self.regions.iter().for_each(drop_pages);
        }
    }
}

/// Has the program come into memory in small pieces: before all else, if it is to be of any use.
pub fn begin() {
    Program::get();
}

/// Gives back what the allocator has of free memory, and the [program's pages](give_back_pages): at the end of one part of
/// a run.
pub fn give_back() {
    let program = Program::get();
    if !program.is_young() {
        trim_heap();
        program.drop_pages();
    }
}

/// Takes the program's pages out of the process's memory; what is needed comes again.
pub fn give_back_pages() {
    let program = Program::get();
    if !program.is_young() {
        program.drop_pages();
    }
}

/// Has the allocator give back whole pages that it has free, also between others.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn trim_heap() {
    // SAFETY: this may be called at any time, from any thread, and leaves alone what is allocated.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim_heap() {}

/// Some of the process's addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    start: usize,
    bytes: usize,
}

/// Takes a region's pages out of memory.
///
/// Invariant: a region is mapped from a file that code runs from, is never unmapped, cannot be written to, and has not been
/// written to before ([`program_regions`]). So what comes again is what was there.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn drop_pages(region: &Region) {
    use rustix::mm::{Advice, madvise};
    let start = std::ptr::with_exposed_provenance_mut(region.start);
    // SAFETY: by the invariant, no byte of the region has another value after this.
    // An advice that is not taken changes nothing.
    let _ = unsafe { madvise(start, region.bytes, Advice::LinuxDontNeed) };
}

/// Makes mappings of its own of a region's pieces. Mappings beside each other are one unless something sets them apart: here,
/// that every other piece is said to be read at random.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn divide(region: &Region) {
    use rustix::mm::{Advice, madvise};
    for offset in (0..region.bytes).step_by(2 * PIECE) {
        let bytes = PIECE.min(region.bytes - offset);
        let start = std::ptr::with_exposed_provenance_mut(region.start + offset);
        // SAFETY: this changes when pages come into memory, and nothing about them.
        let _ = unsafe { madvise(start, bytes, Advice::Random) };
    }
}

#[cfg(not(target_os = "linux"))]
fn drop_pages(_: &Region) {}

#[cfg(not(target_os = "linux"))]
fn divide(_: &Region) {}

/// Whether a debugger holds the process.
fn is_traced() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("TracerPid:")).is_none_or(|tracer| tracer.trim() != "0")
}

/// One mapping, as the system tells of it.
struct Mapping<'a> {
    region: Region,
    access: &'a str,
    file: &'a str,
    is_written: bool,
}

impl<'a> Mapping<'a> {
    /// Reads `start-end access offset device inode file`.
    fn of_header(line: &'a str) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
        let access = words.next().filter(|access| access.len() == 4)?;
        let file = words.nth(3)?.trim_start();
        let region = Region { start, bytes: end.checked_sub(start)? };
        // Until the system tells that nothing is.
        Some(Self { region, access, file, is_written: true })
    }
}

/// The regions of the files that code runs from which nobody can write to and nobody has written to, as the text of
/// `smaps` tells: their pages are in the files as they are in memory.
fn program_regions(smaps: &str) -> Vec<Region> {
    let mut mappings: Vec<Mapping<'_>> = Vec::new();
    for line in smaps.lines() {
        if let Some(mapping) = Mapping::of_header(line) {
            mappings.push(mapping);
        } else if let (Some(anonymous), Some(last)) = (line.strip_prefix("Anonymous:"), mappings.last_mut()) {
            last.is_written = anonymous.trim() != "0 kB";
        }
    }
    let runs = |file: &str| mappings.iter().any(|it| it.file == file && it.access.as_bytes()[2] == b'x');
    let is_as_in_its_file = |it: &&Mapping<'_>| {
        it.file.starts_with('/')
            && !it.is_written
            && it.access.starts_with("r-")
            && it.access.ends_with('p')
            && runs(it.file)
    };
    mappings.iter().filter(is_as_in_its_file).map(|it| it.region).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_writes_to_is_given_back() {
        let smaps = "\
1000-3000 r--p 00000000 fe:00 11                          /usr/bin/sweep net
Size:                  8 kB
Anonymous:             0 kB
3000-7000 r-xp 00002000 fe:00 11                          /usr/bin/sweep net
Anonymous:             0 kB
VmFlags: rd ex mr mw me
7000-8000 r--p 00006000 fe:00 11                          /usr/bin/sweep net
Anonymous:             4 kB
8000-9000 rw-p 00007000 fe:00 11                          /usr/bin/sweep net
Anonymous:             0 kB
9000-a000 r-xp 00007000 fe:00 12                          /usr/lib/silent.so
a000-b000 r--p 00000000 fe:00 13                          /home/graph of somebody
Anonymous:             0 kB
b000-c000 r--s 00000000 fe:00 11                          /usr/bin/sweep net
Anonymous:             0 kB
d000-e000 rw-p 00000000 00:00 0
Anonymous:             0 kB
e000-f000 r-xp 00000000 00:00 0                           [vdso]
Anonymous:             0 kB
";
        let expected = [Region { start: 0x1000, bytes: 0x2000 }, Region { start: 0x3000, bytes: 0x4000 }];
        assert_eq!(program_regions(smaps), expected);
        assert_eq!(program_regions("something else altogether\n-\nAnonymous: 0 kB"), []);
    }
}
