//! Integer expressions over token counts: a linear part, and products, quotients and remainders where there are any.

use sweepnet_net::PlaceId;

use crate::linear::{Linear, symmetric};
use crate::view::{EvalError, View};

/// A sum of a [`Linear`] expression and of [`Compound`]s that are not linear.
///
/// Sums are in normal form; products are not multiplied out (`(a+b)*(c+d)*…` would explode) but are sorted, and
/// equal ones are merged, so that the order of writing makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expression {
    linear: Linear,
    compounds: Vec<Compound>,
}

/// A coefficient (never 0) times what is not linear.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Compound {
    operation: Operation,
    coefficient: i128,
}

/// What makes an expression one that is not linear.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// At least two factors, sorted, none of which is a constant or itself just a product. What divides all
    /// coefficients of a factor, and the sign of its first one, are moved into the coefficient.
    Product(Vec<Expression>),
    /// How often a number, which is not 0, goes into an expression that is no constant; rounded down.
    Quotient(Box<Expression>, i128),
    /// What is left then; it has the sign of the number.
    Remainder(Box<Expression>, i128),
}

impl Operation {
    fn operands(&self) -> &[Expression] {
        match self {
            Self::Product(factors) => factors,
            Self::Quotient(dividend, _) | Self::Remainder(dividend, _) => std::slice::from_ref(dividend),
        }
    }

    fn eval<V: View + ?Sized>(&self, view: &V) -> Result<i128, EvalError> {
        match self {
            Self::Product(factors) => factors.iter().try_fold(1i128, |value, factor| {
                value.checked_mul(factor.eval(view)?).ok_or(EvalError::Overflow)
            }),
            Self::Quotient(dividend, divisor) => Ok(divide(dividend.eval(view)?, *divisor)?.0),
            Self::Remainder(dividend, divisor) => Ok(divide(dividend.eval(view)?, *divisor)?.1),
        }
    }
}

/// Quotient, rounded down, and remainder. The divisor is not 0.
fn divide(dividend: i128, divisor: i128) -> Result<(i128, i128), EvalError> {
    let quotient = dividend.checked_div(divisor).ok_or(EvalError::Overflow)?;
    let rest = dividend % divisor;
    let is_below = rest != 0 && (rest < 0) != (divisor < 0);
    Ok(if is_below { (quotient - 1, rest + divisor) } else { (quotient, rest) })
}

impl Compound {
    /// What the operation's value is multiplied by; never 0.
    pub fn coefficient(&self) -> i128 {
        self.coefficient
    }

    /// The operation.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }
}

impl From<Linear> for Expression {
    fn from(linear: Linear) -> Self {
        Self { linear, compounds: Vec::new() }
    }
}

impl Expression {
    /// A number.
    pub fn constant(n: i128) -> Result<Self, EvalError> {
        Linear::constant(n).map(Self::from)
    }

    /// The tokens of one place.
    pub fn place(place: PlaceId) -> Self {
        Linear::place(place).into()
    }

    /// The tokens of several places together; a place named twice counts twice.
    pub fn places(places: impl IntoIterator<Item = PlaceId>) -> Result<Self, EvalError> {
        Linear::new(places.into_iter().map(|p| (p, 1)).collect(), 0).map(Self::from)
    }

    /// The sum of many expressions.
    pub fn sum(summands: impl IntoIterator<Item = Self>) -> Result<Self, EvalError> {
        let (mut terms, mut constant, mut compounds) = (Vec::new(), 0i128, Vec::new());
        for summand in summands {
            terms.extend_from_slice(summand.linear.terms());
            constant = symmetric(constant.checked_add(summand.linear.offset()))?;
            compounds.extend(summand.compounds);
        }
        compounds.sort();
        let mut merged: Vec<Compound> = Vec::with_capacity(compounds.len());
        for compound in compounds {
            match merged.last_mut() {
                Some(last) if last.operation == compound.operation => {
                    last.coefficient = symmetric(last.coefficient.checked_add(compound.coefficient))?;
                }
                _ => merged.push(compound),
            }
        }
        merged.retain(|compound| compound.coefficient != 0);
        Ok(Self { linear: Linear::new(terms, constant)?, compounds: merged })
    }

    /// The product of many expressions. Constants are multiplied into what is left.
    pub fn product(factors: impl IntoIterator<Item = Self>) -> Result<Self, EvalError> {
        let (mut coefficient, mut variable) = (1i128, Vec::new());
        for mut factor in factors {
            if let Some(n) = factor.as_constant() {
                coefficient = symmetric(coefficient.checked_mul(n))?;
            } else if let Some(inner) = factor.take_product() {
                coefficient = symmetric(coefficient.checked_mul(inner.coefficient))?;
                variable.extend_from_slice(inner.operation.operands());
            } else {
                let (content, primitive) = factor.primitive();
                coefficient = symmetric(coefficient.checked_mul(content))?;
                variable.push(primitive);
            }
        }
        if coefficient == 0 {
            return Ok(Self::default());
        }
        if variable.len() > 1 {
            variable.sort();
            return Ok(Self::compound(Operation::Product(variable), coefficient));
        }
        match variable.pop() {
            Some(factor) => factor.scale(coefficient),
            None => Self::constant(coefficient),
        }
    }

    /// How often a number goes into the expression, rounded down; nothing if the number is 0.
    pub fn quotient(self, divisor: i128) -> Option<Self> {
        self.divided(divisor, |(quotient, _)| quotient, Operation::Quotient)
    }

    /// What is left of the expression then.
    pub fn remainder(self, divisor: i128) -> Option<Self> {
        self.divided(divisor, |(_, rest)| rest, Operation::Remainder)
    }

    fn divided(
        self,
        divisor: i128,
        part: fn((i128, i128)) -> i128,
        operation: fn(Box<Self>, i128) -> Operation,
    ) -> Option<Self> {
        match self.as_constant() {
            _ if divisor == 0 => None,
            Some(dividend) => Self::constant(part(divide(dividend, divisor).ok()?)).ok(),
            None => Some(Self::compound(operation(Box::new(self), divisor), 1)),
        }
    }

    fn compound(operation: Operation, coefficient: i128) -> Self {
        Self { linear: Linear::default(), compounds: vec![Compound { operation, coefficient }] }
    }

    /// The product, if it is nothing else.
    fn take_product(&mut self) -> Option<Compound> {
        let is_product = match self.compounds.as_slice() {
            [only] => matches!(only.operation, Operation::Product(_)) && self.linear == Linear::default(),
            _ => false,
        };
        if is_product { self.compounds.pop() } else { None }
    }

    /// `factor` times the expression.
    pub fn scale(mut self, factor: i128) -> Result<Self, EvalError> {
        if factor == 0 {
            return Ok(Self::default());
        }
        self.linear = self.linear.scale(factor)?;
        for compound in &mut self.compounds {
            compound.coefficient = symmetric(compound.coefficient.checked_mul(factor))?;
        }
        Ok(self)
    }

    /// What divides all its coefficients, with the sign of the first; and the expression divided by it.
    fn primitive(mut self) -> (i128, Self) {
        let numbers = self.linear.terms().iter().map(|(_, c)| *c).chain([self.linear.offset()]);
        let numbers = numbers.chain(self.compounds.iter().map(|it| it.coefficient));
        let divisor = numbers.fold(0, |a, b| gcd(a, b.abs()));
        let content = if self.leading().is_some_and(|first| first < 0) { -divisor } else { divisor };
        if !matches!(content, 0 | 1) {
            let terms = self.linear.terms().iter().map(|(p, c)| (*p, c / content)).collect();
            let linear = Linear::new(terms, self.linear.offset() / content);
            self.linear = linear.expect("dividing makes numbers smaller");
            self.compounds.iter_mut().for_each(|it| it.coefficient /= content);
        }
        (content, self)
    }

    /// The expression with the opposite sign. Cannot fail: see [`Linear`].
    pub fn negate(self) -> Self {
        self.scale(-1).expect("numbers are symmetric around 0")
    }

    /// The linear part.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }

    /// The parts that are not linear.
    pub fn compounds(&self) -> &[Compound] {
        &self.compounds
    }

    /// The linear form, if there is nothing else.
    pub fn as_linear(&self) -> Option<&Linear> {
        self.compounds.is_empty().then_some(&self.linear)
    }

    /// The number it is, if it mentions no place.
    pub fn as_constant(&self) -> Option<i128> {
        self.as_linear().and_then(Linear::as_constant)
    }

    /// Everything but the constant, and the constant.
    pub(crate) fn split(self) -> (Self, i128) {
        let (linear, constant) = self.linear.split();
        (Self { linear, compounds: self.compounds }, constant)
    }

    /// The first coefficient, which decides the sign in a comparison's normal form.
    pub(crate) fn leading(&self) -> Option<i128> {
        let linear = self.linear.terms().first().map(|(_, c)| *c);
        linear.or_else(|| self.compounds.first().map(|it| it.coefficient))
    }

    /// The terms with positive coefficients, and those with negative ones; both without the constant.
    pub(crate) fn by_sign(&self) -> (Self, Self) {
        let part = |positive: bool| {
            let terms = self.linear.terms().iter().copied().filter(|(_, c)| (*c > 0) == positive).collect();
            let linear = Linear::new(terms, 0).expect("a part of a sum in normal form is one");
            let compounds =
                self.compounds.iter().filter(|it| (it.coefficient > 0) == positive).cloned().collect();
            Self { linear, compounds }
        };
        (part(true), part(false))
    }

    /// The value in a marking.
    #[inline]
    pub fn eval<V: View + ?Sized>(&self, view: &V) -> Result<i128, EvalError> {
        let mut sum = self.linear.eval(view)?;
        for Compound { operation, coefficient } in &self.compounds {
            let value = operation.eval(view)?.checked_mul(*coefficient).ok_or(EvalError::Overflow)?;
            sum = sum.checked_add(value).ok_or(EvalError::Overflow)?;
        }
        Ok(sum)
    }

    /// Whether its coefficients show that it has a value in every marking. Of what is not linear nothing is shown.
    pub fn is_total(&self) -> bool {
        // Counts are below 2^64.
        let coefficients = self.linear.terms().iter().map(|(_, coefficient)| coefficient.unsigned_abs());
        let sum = coefficients.fold(0, u128::saturating_add);
        self.compounds.is_empty() && sum <= 1 << 62 && self.linear.offset().unsigned_abs() <= 1 << 125
    }

    /// Collects the places it mentions, with repetitions, in no order.
    pub(crate) fn collect_places(&self, into: &mut Vec<PlaceId>) {
        into.extend(self.linear.terms().iter().map(|(place, _)| *place));
        for operand in self.compounds.iter().flat_map(|it| it.operation.operands()) {
            operand.collect_places(into);
        }
    }

    /// The places it depends on, in order, each once.
    pub fn mentioned(&self) -> Vec<PlaceId> {
        let mut places = Vec::new();
        self.collect_places(&mut places);
        places.sort();
        places.dedup();
        places
    }
}

/// The greatest common divisor of two numbers that are not negative.
fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::{Expression, divide};
    use sweepnet_net::PlaceId;

    #[test]
    fn quotients_are_rounded_down_and_rests_have_the_sign_of_the_divisor() {
        for dividend in -9..=9i128 {
            for divisor in (-4..=4).filter(|divisor| *divisor != 0) {
                let (quotient, rest) = divide(dividend, divisor).expect("small numbers");
                assert_eq!(quotient, (dividend as f64 / divisor as f64).floor() as i128);
                assert_eq!(quotient * divisor + rest, dividend);
                assert!(rest == 0 || (rest < 0) == (divisor < 0));
            }
        }
        assert!(divide(i128::MIN, -1).is_err());
    }

    #[test]
    fn equal_quotients_are_one_and_nothing_is_divided_by_nothing() {
        let half = || Expression::place(PlaceId::new(0)).quotient(2).expect("2 is not 0");
        let rest = Expression::place(PlaceId::new(0)).remainder(2).expect("2 is not 0");
        let twice = half().scale(2).expect("small numbers");
        assert_eq!(Expression::sum([half(), half()]), Ok(twice.clone()));
        assert_ne!(half(), rest);
        assert_eq!(Expression::sum([twice.clone(), twice.negate()]), Ok(Expression::default()));
        let product = Expression::product([half(), rest]).expect("small numbers");
        assert_eq!((product.compounds().len(), product.mentioned()), (1, vec![PlaceId::new(0)]));
        assert_eq!(half().quotient(0), None);
    }
}
