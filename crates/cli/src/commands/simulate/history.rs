//! How a token game came to where it is.

/// The moves that were made, and the markings before, between and after them.
pub struct History<E, M> {
    events: Vec<E>,
    /// One more than there are events.
    markings: Vec<M>,
}

impl<E, M> History<E, M> {
    /// A game that begins with a marking.
    pub fn new(initial: M) -> Self {
        Self { events: Vec::new(), markings: vec![initial] }
    }

    /// The moves, in order.
    pub fn events(&self) -> &Vec<E> {
        &self.events
    }

    /// The present marking.
    pub fn now(&self) -> &M {
        self.markings.last().expect("there is always a marking")
    }

    /// The last move, and the marking before it.
    pub fn last(&self) -> Option<(&E, &M)> {
        let event = self.events.last()?;
        Some((event, &self.markings[self.markings.len() - 2]))
    }

    /// Adds a move and where it leads.
    pub fn push(&mut self, event: E, next: M) {
        self.events.push(event);
        self.markings.push(next);
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let undone = self.events.pop().is_some();
        if undone {
            self.markings.pop();
        }
        undone
    }

    /// Keeps nothing but the present marking.
    pub fn forget(&mut self) {
        self.events.clear();
        self.markings.drain(..self.markings.len() - 1);
    }
}
