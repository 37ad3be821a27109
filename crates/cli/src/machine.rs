//! What the machine, or the container we are in, has to give.

use std::fs;
use std::path::{Path, PathBuf};

/// The memory that can be used without hurting anybody: nine tenths of what is free now, by the word of the
/// system and of every control group around us.
pub fn free_memory() -> u64 {
    let system = available().unwrap_or(u64::MAX);
    let groups = control_groups().into_iter().filter_map(|group| left_in(&group));
    let free = groups.chain(address_space_left()).fold(system, u64::min);
    // Where nothing tells, something that every machine has.
    let free = if free == u64::MAX { 4 << 30 } else { free };
    let ours = sweepnet_space::budget::resident_bytes().unwrap_or(0);
    (free / 10 * 9).saturating_add(ours)
}

/// What `ulimit -v` leaves.
#[cfg(unix)]
fn address_space_left() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * rustix::param::page_size() as u64))
}

#[cfg(not(unix))]
fn address_space_left() -> Option<u64> {
    None
}

fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The folders of the memory control groups that this process is in, up to the root.
fn control_groups() -> Vec<PathBuf> {
    let root = Path::new("/sys/fs/cgroup");
    let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut groups = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next(), parts.next(), parts.next());
        let (Some(controllers), Some(path)) = (controllers, path) else { continue };
        let base = match controllers {
            "" => root.to_path_buf(),
            c if c.split(',').any(|c| c == "memory") => root.join("memory"),
            _ => continue,
        };
        let group = base.join(path.trim_start_matches('/'));
        groups.extend(group.ancestors().take_while(|a| a.starts_with(&base)).map(Path::to_path_buf));
    }
    groups
}

fn left_in(group: &Path) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes")).unwrap_or(0);
    // Cached files count as used but are given back when needed.
    let cached = fs::read_to_string(group.join("memory.stat")).ok().and_then(|stat| {
        let line = stat.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
        line.trim().parse::<u64>().ok()
    });
    Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
}
