//! The limits of a run, from the command line and the machine.

use std::io::{self, IsTerminal};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use sweepnet_net::Net;
use sweepnet_space::budget::is_outgrown;
use sweepnet_space::product::partition::PartitionChoice;
use sweepnet_space::product::run::check_choice;
use sweepnet_space::{CodecChoice, Control, Limits, Plan, SearchChoice, StopReason, program};
use sweepnet_structure::{Effort, Structure};

use crate::args::{Exploring, Saying};
use crate::choosing::{self, Choice, When};
use crate::combinations;
use crate::failure::Failure;
use crate::input::Folded;
use crate::machine;
use crate::progress::ProgressLine;
use crate::quantity::bytes;
use crate::report::stop;
use crate::sweeping::{self, Swept};

/// A plan, and what there is to say about it.
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// What was asked for and cannot be had, and how a sweep goes; printed already, unless nobody wants to hear of it.
    pub warnings: Vec<String>,
}

/// What a search has found.
pub struct Searched<T> {
    /// The findings.
    pub found: T,
    /// What there is to say about the plan; said already, unless nobody wants to hear of it.
    pub warnings: Vec<String>,
    /// Which search was chosen, and why, if that was left open.
    pub chosen: Option<String>,
}

/// What bounds a run: memory, time, states, and the user's patience.
pub struct Session {
    /// The limits.
    pub limits: Limits,
    start: Instant,
    interrupted: Arc<AtomicBool>,
    progress: ProgressLine,
    quiet: bool,
}

impl Session {
    /// A session as the arguments want it. Its clock starts now, so it is made before the net is read.
    /// Signals end the process as usual until [`watch_signals`](Self::watch_signals).
    pub fn new(exploring: &Exploring, saying: Saying) -> Self {
        Self::within(exploring.memory, exploring.time, exploring.states, saying.quiet)
    }

    /// A session of a command that does not explore.
    pub fn of_reader(memory: Option<u64>, time: Option<Duration>) -> Self {
        Self::within(memory, time, None, true)
    }

    fn within(memory: Option<u64>, time: Option<Duration>, states: Option<u64>, quiet: bool) -> Self {
        program::begin();
        let limits = Limits { memory: memory.unwrap_or_else(machine::free_memory), time, states };
        let (start, progress) = (Instant::now(), ProgressLine::new(quiet));
        Self { limits, start, interrupted: Arc::default(), progress, quiet }
    }

    /// From now on signals stop the run, with what is known. There is nothing to know before the net is read, and
    /// reading may wait for somebody for ever.
    pub fn watch_signals(&self) -> Result<(), Failure> {
        // The second signal ends the process at once.
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&self.interrupted))
                .and_then(|_| flag::register(signal, Arc::clone(&self.interrupted)))
                .map_err(|error| Failure::input(format!("cannot watch for signals: {error}")))?;
        }
        Ok(())
    }

    /// What structure tells of a net, within the limits: if one is reached, analysis stops with what it has, and the
    /// search, which looks at the same limits, ends at once.
    pub fn analyse(&self, net: &Net) -> Structure {
        // What read the net is done.
        program::give_back();
        let control = self.control();
        let watch = control.close_watch();
        let effort = Effort::for_net(net).within(control.budget().room());
        let all = || Structure::of_while(net, effort, &|| watch.goes_on());
        // Linear programs are solved by others, who may panic; everything else does without them.
        let structure = std::panic::catch_unwind(AssertUnwindSafe(all))
            .unwrap_or_else(|_| Structure::of(net, Effort::LEAST.within(effort.bytes)));
        program::give_back();
        structure
    }

    /// Does something that asks now and then whether to go on; the reason if it was told not to.
    pub fn patiently<T>(&self, run: impl FnOnce(&dyn Fn() -> bool) -> T) -> Result<T, StopReason> {
        let watch = self.control().close_watch();
        let done = run(&|| watch.goes_on());
        watch.stopped().map_or(Ok(done), Err)
    }

    /// The failure of a command that was to do something, and reached a limit first.
    pub fn stopped(&self, what: &str, reason: StopReason) -> Failure {
        Failure::Stopped(format!("{what}: {}", stop::limit(reason, &self.limits)))
    }

    /// Whether a limit is reached.
    pub fn is_over(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
            || self.limits.time.is_some_and(|time| self.start.elapsed() >= time)
            || is_outgrown(self.limits.memory)
    }

    /// How to explore a net, from what structure knows and the arguments want.
    pub fn plan(&self, swept: Swept<'_>, exploring: &Exploring) -> Result<Planned, Failure> {
        let Swept { net, structure, .. } = swept;
        let partition = exploring.partition.read(net)?;
        // Whoever asks for components gets them, also where the search would do without.
        let codec = match (exploring.codec, &partition) {
            (CodecChoice::Auto, PartitionChoice::Auto) => CodecChoice::Auto,
            (CodecChoice::Auto, _) => CodecChoice::Product,
            (codec, _) => codec,
        };
        let mut plan = Plan {
            search: exploring.search,
            codec,
            store: exploring.store,
            partition,
            threads: exploring.threads,
            beyond_unbounded: exploring.unbounded.beyond(),
            seed: exploring.seed,
            limited: swept.folded.map(Folded::limited_places).unwrap_or_default(),
            ..Plan::knowing(net, structure)
        };
        if let Some(window) = exploring.window.filter(|window| *window > self.limits.memory) {
            let (window, memory) = (bytes(window), bytes(self.limits.memory));
            return Err(Failure::input(format!(
                "--window {window} is more than the memory budget of {memory} (--memory raises it)"
            )));
        }
        check_choice(net, &plan, &mut self.control()).map_err(|error| exploring.partition.refused(&error))?;
        let mut warnings = combinations::unmet(net, &plan);
        if !self.quiet {
            warnings.iter().for_each(|warning| complain!("warning: {warning}"));
        }
        let note = sweeping::complete(&mut plan, swept, exploring, self)?;
        self.note(note.as_deref());
        warnings.extend(note);
        sweeping::complete_window(&mut plan, swept, exploring, self);
        Ok(Planned { plan, warnings })
    }

    /// Searches as planned, or, where nobody asked for a certain search, as chosen, and again where all states do not fit
    /// into memory. `whole_graph` tells whether something is asked that only the graph of all states answers. Gives what
    /// was found, and what there is to say about it.
    pub fn search<T>(
        &self,
        swept: Swept<'_>,
        exploring: &Exploring,
        whole_graph: bool,
        mut by: impl FnMut(&Plan) -> T,
        stopped: impl Fn(&T) -> Option<StopReason>,
    ) -> Result<Searched<T>, Failure> {
        let Planned { mut plan, mut warnings } = self.plan(swept, exploring)?;
        let mut chosen = None;
        let mut choose = |plan: &mut Plan, when: When| {
            if exploring.search != SearchChoice::Auto || self.is_over() {
                return true;
            }
            let choice = choosing::choose(plan, swept, exploring, self, whole_graph, when);
            warnings.extend(self.explain(&choice, plan, exploring.explain));
            chosen = Some(choice.line);
            choice.is_final
        };
        let is_final = choose(&mut plan, When::First);
        let mut found = by(&plan);
        if plan.search == SearchChoice::Auto && !is_final && stopped(&found) == Some(StopReason::Memory) {
            choose(&mut plan, When::OutOfMemory);
            if plan.search != SearchChoice::Auto {
                // Its memory is needed.
                drop(found);
                found = by(&plan);
            }
        }
        Ok(Searched { found, warnings, chosen })
    }

    /// Says what was chosen, and why, if that is asked for; to scripts only if it is not what everybody expects. Gives
    /// what was said to them.
    fn explain(&self, choice: &Choice, plan: &Plan, everything: bool) -> Vec<String> {
        let reasons = choice.reasons.iter().filter(|_| everything);
        let said: Vec<String> = reasons.chain([&choice.line]).cloned().collect();
        if !everything && plan.search == SearchChoice::Auto {
            self.note(said.last().map(String::as_str).filter(|_| io::stderr().is_terminal()));
            return Vec::new();
        }
        said.iter().for_each(|line| self.note(Some(line)));
        said
    }

    /// Says something, unless nobody wants to hear of it.
    pub fn note(&self, note: Option<&str>) {
        if let Some(note) = note.filter(|_| !self.quiet) {
            complain!("note: {note}");
        }
    }

    /// The control of a search.
    pub fn control(&self) -> Control<'_> {
        let memory = self.limits.memory;
        let show = move |at| self.progress.show(at, memory);
        Control::new(&self.limits, Arc::clone(&self.interrupted), show).started(&self.limits, self.start)
    }

    /// The search is over: no more progress.
    pub fn finish(&self) {
        self.progress.clear();
        program::give_back();
    }
}
