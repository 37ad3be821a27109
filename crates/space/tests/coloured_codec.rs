//! Random types, random multisets: what the multiset codec writes it reads, and the order of tokens does not matter.

use sweepnet_colour::{ColouredNet, Marking, Place, Shape, Tokens, TypeId, Types, Value};
use sweepnet_space::coloured::{CodecOptions, CodecScratch, MultisetCodec};
use sweepnet_testkit::random::Random;

/// Makes types, values and multisets.
struct Maker(Random);

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    /// A type, nested at most so deep.
    fn type_(&mut self, types: &mut Types, depth: u64) -> TypeId {
        loop {
            let simple = depth == 0;
            let shape = match self.below(if simple { 4 } else { 11 }) {
                0 => return [TypeId::UNIT, TypeId::BOOL][self.below(2) as usize],
                1 => {
                    Shape::Range { low: -(self.below(9) as i64), high: self.below(300) as i64, cyclic: false }
                }
                2 => Shape::Range { low: i64::MIN / 2, high: i64::MAX / 2 - 7, cyclic: false },
                3 => Shape::Enum {
                    names: (0..1 + self.below(5)).map(|i| format!("c{i}").into()).collect(),
                    cyclic: self.below(2) == 0,
                },
                4 | 5 => {
                    let field = |_| (Box::from(""), self.type_(types, depth - 1));
                    Shape::Struct((0..4).map(field).collect())
                }
                6 => {
                    let variant = |at: u64| {
                        let content = (at > 0).then(|| self.type_(types, depth - 1));
                        (Box::from(format!("v{at}")), content)
                    };
                    Shape::Union((0..3).map(variant).collect())
                }
                7 => {
                    let high = self.below(20) as i64;
                    let index = types.add(Shape::Range { low: 0, high, cyclic: false }).unwrap();
                    Shape::Array { index, element: self.type_(types, depth - 1) }
                }
                8 => Shape::List { element: self.type_(types, depth - 1), max: self.below(6) as u32 },
                9 => Shape::Set(self.type_(types, depth - 1)),
                _ => {
                    let base = self.type_(types, depth - 1);
                    match types.size(base) {
                        Some(size) if size > 4 => Shape::Subset { base, runs: vec![(0, 1), (2, size - 3)] },
                        _ => continue,
                    }
                }
            };
            if let Ok(id) = types.add(shape)
                && types.width(id) <= 64
            {
                return id;
            }
        }
    }

    fn value(&mut self, types: &Types, id: TypeId) -> Value {
        match types.shape(id).clone() {
            Shape::Struct(fields) => {
                Value::Struct(fields.iter().map(|(_, id)| self.value(types, *id)).collect())
            }
            Shape::Array { index, element } => {
                let count = types.size(index).expect("indices have numbers");
                Value::Struct((0..count).map(|_| self.value(types, element)).collect())
            }
            Shape::List { element, max } => {
                let length = self.below(u64::from(max) + 1);
                let elements = (0..length).map(|_| self.value(types, element)).collect();
                Value::List(length as usize, elements)
            }
            Shape::Union(variants) => {
                let at = self.below(variants.len() as u64) as usize;
                Value::Variant(at, variants[at].1.map(|content| Box::new(self.value(types, content))))
            }
            Shape::Set(element) => {
                let mut elements: Vec<Value> =
                    (0..self.below(5)).map(|_| self.value(types, element)).collect();
                elements.sort();
                elements.dedup();
                Value::Set(elements)
            }
            _ => {
                let size = types.size(id).expect("the others are narrow");
                let number = if self.below(4) == 0 { size - 1 } else { self.below(size) };
                types.decode(id, &[number])
            }
        }
    }

    fn tokens(&mut self, types: &Types, id: TypeId, timed: bool) -> Tokens {
        let mut tokens = Tokens::new(types.width(id) + usize::from(timed));
        let most = [1, 2, 3, 10, 1000, 70_000, 1 << 40][self.below(7) as usize];
        for _ in 0..self.below(7) * self.below(7) {
            let mut words = Vec::new();
            assert!(types.encode(id, &self.value(types, id), &mut words));
            if timed {
                words.push([0, 1, self.below(1 << 50)][self.below(3) as usize]);
            }
            tokens.add(&words, 1 + self.below(most)).unwrap();
        }
        tokens
    }
}

fn round_trip(seed: u64) {
    let mut random = Maker(Random::new(seed));
    let mut net = ColouredNet::default();
    let mut places = Vec::new();
    for at in 0..1 + random.below(5) {
        let type_ = random.type_(&mut net.types, 3);
        let timed = random.below(4) == 0;
        let tokens = random.tokens(&net.types, type_, timed);
        let total = tokens.total();
        let capacity = match random.below(4) {
            0 => None,
            1 => Some(vec![total..=total]),
            2 => Some(vec![0..=total + random.below(9)]),
            _ => Some(vec![0..=total / 3, total..=total + random.below(100), u64::MAX..=u64::MAX]),
        };
        let capacity = capacity.filter(|ranges| ranges.windows(2).all(|w| w[0].end() + 1 < *w[1].start()));
        net.places.push(Place {
            id: format!("p{at}").into(),
            label: None,
            type_,
            capacity,
            initial: Vec::new(),
            derived: None,
            is_proven: false,
            timed,
        });
        places.push(tokens);
    }
    let clock = [0, random.below(1 << 62) as i64][random.below(2) as usize];
    let marking = Marking { places, clock };
    let mut scratch = CodecScratch::default();
    for capacities in [true, false] {
        let options = CodecOptions { capacities, ..CodecOptions::default() };
        let codec = MultisetCodec::new(&net, options).with_clock();
        let bytes = codec.encode(&marking, &mut scratch).expect("there are few tokens").to_vec();
        let mut read = Marking::initial(&net);
        codec.decode(&bytes, &mut read, &mut scratch);
        assert_eq!(read, marking, "seed {seed}");
        assert_eq!(codec.encode(&read, &mut scratch), Ok(&bytes[..]), "seed {seed}");
    }
}

#[test]
fn what_is_written_is_read() {
    (0..3000).for_each(round_trip);
}
