//! Coloured nets of the literature, built by hand.

use std::ops::RangeInclusive;

use sweepnet_colour::term::Relation;
use sweepnet_colour::{
    Arc, Bag, Closed, ColouredNet, Node, Place, Shape, Sort, Term, Transition, TypeId, Variable,
};

/// The integers from 0 to n - 1.
pub fn numbers(net: &mut ColouredNet, n: i64) -> TypeId {
    net.types.add(Shape::Range { low: 0, high: n - 1, cyclic: false }).expect("there are numbers")
}

/// A tuple of types.
pub fn tuple(net: &mut ColouredNet, parts: &[TypeId]) -> TypeId {
    net.types.tuple(parts).expect("its parts have values")
}

/// Adds a place with these values, once each; returns its position.
pub fn place(
    net: &mut ColouredNet,
    id: &str,
    type_: TypeId,
    initial: impl IntoIterator<Item = u64>,
) -> usize {
    net.places.push(Place {
        id: id.into(),
        label: None,
        type_,
        capacity: None,
        initial: initial.into_iter().map(|value| (Box::from([value]), 1)).collect(),
        derived: None,
        is_proven: false,
        timed: false,
    });
    net.places.len() - 1
}

/// Adds a transition with these variables, at the slots 0, 1, …, and room for two more.
pub fn transition<'a>(net: &'a mut ColouredNet, id: &str, variables: &[TypeId]) -> &'a mut Transition {
    let variable =
        |(slot, type_): (usize, &TypeId)| Variable { name: format!("x{slot}").into(), type_: *type_, slot };
    net.transitions.push(Transition {
        id: id.into(),
        variables: variables.iter().enumerate().map(variable).collect(),
        frame: variables.len() + 2,
        ..Transition::default()
    });
    net.transitions.last_mut().expect("it was added")
}

/// A variable.
pub fn var(slot: usize, type_: TypeId) -> Term {
    Term::variable(slot, Sort::Of(type_))
}

/// A tuple.
pub fn pair(parts: impl Into<Vec<Term>>, type_: TypeId) -> Term {
    Term::new(Node::Struct(parts.into()), Sort::Of(type_))
}

/// A guard.
pub fn compare(relation: Relation, left: Term, right: Term) -> Term {
    Term::compare(relation, left, right)
}

/// The next value, the first behind the last.
pub fn next(term: Term) -> Term {
    let sort = term.sort;
    Term::new(Node::Step { from: Box::new(term), by: 1, wraps: true }, sort)
}

/// An arc with one token.
pub fn one(place: usize, token: Term) -> Arc {
    Arc { place, tokens: Bag::One(token) }
}

fn capacity(numbers: impl Into<Vec<RangeInclusive<u64>>>) -> Option<Vec<RangeInclusive<u64>>> {
    Some(numbers.into())
}

/// The distributed data base of Genrich, Lautenbach and Jensen with `n` managers, capacities and derived places as in
/// "Condensed Storage of Multi-Set Sequences", with or without the place `unused`. It has 1 + n 3^(n-1) states.
pub fn dbm(n: u64, with_unused: bool) -> ColouredNet {
    let mut net = ColouredNet { name: format!("dbm-{n}"), ..ColouredNet::default() };
    let site = numbers(&mut net, n as i64);
    let link = tuple(&mut net, &[site, site]);
    let others = |from: u64| (0..n).filter(move |to| *to != from).map(move |to| from * n + to);
    let inactive = place(&mut net, "inactive", site, 0..n);
    let waiting = place(&mut net, "waiting", site, []);
    let performing = place(&mut net, "performing", site, []);
    let sent = place(&mut net, "sent", link, []);
    let received = place(&mut net, "received", link, []);
    let acks = place(&mut net, "acks", link, []);
    let mutex = place(&mut net, "mutex", TypeId::UNIT, [0]);
    net.places[inactive].capacity = capacity([0..=n]);
    net.places[waiting].capacity = capacity([0..=1]);
    net.places[mutex].capacity = capacity([0..=1]);
    for place in [performing, sent, received, acks] {
        net.places[place].capacity = capacity([0..=n - 1]);
    }
    let without = |from: Bag, places: &[usize]| {
        Bag::Difference(Box::new(from), Box::new(Bag::Sum(places.iter().map(|p| Bag::Place(*p)).collect())))
    };
    net.places[inactive].derived =
        Some(Closed { body: without(Bag::All(site), &[waiting, performing]), frame: 0 });
    let count = Term::new(Node::Count(Box::new(Bag::Place(waiting))), Sort::Int);
    let taken = Bag::Times(Box::new(count), Box::new(Bag::One(Term::unit())));
    let body = Bag::Difference(Box::new(Bag::One(Term::unit())), Box::new(taken));
    net.places[mutex].derived = Some(Closed { body, frame: 0 });
    let unused = with_unused.then(|| {
        let unused = place(&mut net, "unused", link, (0..n).flat_map(others));
        let (few, many) = (1 + n * n - 2 * n, n * n - n);
        net.places[unused].capacity =
            if many - few <= 1 { capacity([few..=many]) } else { capacity([few..=few, many..=many]) };
        let differ = compare(Relation::NotEqual, var(0, site), var(1, site));
        let link_of = Bag::One(pair([var(0, site), var(1, site)], link));
        let inner = Bag::For(1, site, Some(Box::new(differ)), Box::new(link_of));
        let all = Bag::For(0, site, None, Box::new(inner));
        net.places[unused].derived = Some(Closed { body: without(all, &[sent, received, acks]), frame: 2 });
        unused
    });
    let to_all = |place: usize| {
        let differ = compare(Relation::NotEqual, var(0, site), var(1, site));
        let message = Bag::One(pair([var(0, site), var(1, site)], link));
        Arc { place, tokens: Bag::For(1, site, Some(Box::new(differ)), Box::new(message)) }
    };
    let t = transition(&mut net, "update_and_send", &[site]);
    t.inputs = vec![one(inactive, var(0, site)), one(mutex, Term::unit())];
    t.inputs.extend(unused.map(to_all));
    t.outputs = vec![one(waiting, var(0, site)), to_all(sent)];
    let t = transition(&mut net, "receive_acks", &[site]);
    t.inputs = vec![one(waiting, var(0, site)), to_all(acks)];
    t.outputs = vec![one(inactive, var(0, site)), one(mutex, Term::unit())];
    t.outputs.extend(unused.map(to_all));
    let message = || pair([var(0, site), var(1, site)], link);
    let t = transition(&mut net, "receive_message", &[site, site]);
    t.inputs = vec![one(inactive, var(1, site)), one(sent, message())];
    t.outputs = vec![one(performing, var(1, site)), one(received, message())];
    let t = transition(&mut net, "send_ack", &[site, site]);
    t.inputs = vec![one(performing, var(1, site)), one(received, message())];
    t.outputs = vec![one(inactive, var(1, site)), one(acks, message())];
    net
}

/// Dining philosophers, one of whom always stands.
pub fn dining(n: u64) -> ColouredNet {
    let mut net = ColouredNet { name: format!("dining-{n}"), ..ColouredNet::default() };
    let who = numbers(&mut net, n as i64);
    let thinking = place(&mut net, "thinking", who, 0..n);
    let forks = place(&mut net, "forks", who, 0..n);
    let seated = place(&mut net, "seated", who, []);
    let with_left = place(&mut net, "with_left", who, []);
    let eating = place(&mut net, "eating", who, []);
    let chairs = place(&mut net, "chairs", TypeId::UNIT, []);
    net.places[chairs].initial = vec![(Box::from([0]), n - 1)];
    let (me, right) = (|| var(0, who), || next(var(0, who)));
    let t = transition(&mut net, "seat", &[who]);
    t.inputs = vec![one(thinking, me()), one(chairs, Term::unit())];
    t.outputs = vec![one(seated, me())];
    let t = transition(&mut net, "take_left", &[who]);
    t.inputs = vec![one(seated, me()), one(forks, me())];
    t.outputs = vec![one(with_left, me())];
    let t = transition(&mut net, "take_right", &[who]);
    t.inputs = vec![one(with_left, me()), one(forks, right())];
    t.outputs = vec![one(eating, me())];
    let t = transition(&mut net, "leave", &[who]);
    t.inputs = vec![one(eating, me())];
    let both = Bag::Sum(vec![Bag::One(me()), Bag::One(right())]);
    t.outputs = vec![one(thinking, me()), one(chairs, Term::unit()), Arc { place: forks, tokens: both }];
    net
}

/// Leader election on a ring.
pub fn leader(n: u64) -> ColouredNet {
    let mut net = ColouredNet { name: format!("leader-{n}"), ..ColouredNet::default() };
    let id = numbers(&mut net, n as i64);
    let kind = net.types.add(Shape::Range { low: 1, high: 2, cyclic: false }).expect("two kinds");
    let who = tuple(&mut net, &[id, TypeId::BOOL]);
    let message = tuple(&mut net, &[id, id, kind]);
    let idle = place(&mut net, "idle", who, (0..n).map(|i| 2 * i));
    let wait = place(&mut net, "wait", who, []);
    let loosing = place(&mut net, "loosing", who, []);
    let msg = place(&mut net, "msg", message, []);
    // X is at slot 0, b at 1, Y at 2.
    let (x, y) = (|| var(0, id), || var(2, id));
    let with = |b: Term| pair([var(0, id), b], who);
    let same = || var(1, TypeId::BOOL);
    let mail = |to: Term, about: Term, of: u64| pair([to, about, Term::constant([of - 1], kind)], message);
    let t = transition(&mut net, "candidate", &[id, TypeId::BOOL]);
    t.inputs = vec![one(idle, with(same()))];
    t.outputs = vec![one(wait, with(same())), one(msg, mail(next(x()), x(), 1))];
    let step = |net: &mut ColouredNet, name: &str, from: usize, relation: Relation, to: Vec<Arc>| {
        let t = transition(net, name, &[id, TypeId::BOOL, id]);
        t.guards = vec![compare(relation, y(), x())];
        t.inputs = vec![one(from, with(same())), one(msg, mail(x(), y(), 1))];
        t.outputs = to;
    };
    let forward = |about: Term| one(msg, mail(next(x()), about, 1));
    step(&mut net, "go1", idle, Relation::Less, vec![one(wait, with(Term::bool(false))), forward(x())]);
    step(&mut net, "go2", idle, Relation::Greater, vec![one(loosing, with(same())), forward(y())]);
    step(&mut net, "wait_to_loose", wait, Relation::Greater, vec![one(loosing, with(same())), forward(y())]);
    step(&mut net, "absorb1", wait, Relation::Less, vec![one(wait, with(same()))]);
    step(&mut net, "absorb2", loosing, Relation::Less, vec![one(loosing, with(same()))]);
    let t = transition(&mut net, "to_win", &[id, TypeId::BOOL]);
    t.inputs = vec![one(wait, with(same())), one(msg, mail(x(), x(), 1))];
    t.outputs = vec![one(wait, with(Term::bool(true))), one(msg, mail(next(x()), x(), 2))];
    net
}
