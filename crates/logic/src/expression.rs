//! Integer expressions over token counts: a linear part, and products where there are any.

use sweepnet_net::PlaceId;

use crate::linear::{Linear, symmetric};
use crate::view::{EvalError, View};

/// A sum of a [`Linear`] expression and of [`Product`]s that are not linear.
///
/// Sums are in normal form; products are not multiplied out (`(a+b)*(c+d)*…` would explode) but are sorted, and
/// equal ones are merged, so that the order of writing makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expression {
    linear: Linear,
    products: Vec<Product>,
}

/// A coefficient (never 0) times at least two factors, none of which is a constant or itself just a product. What
/// divides all coefficients of a factor, and the sign of its first one, are moved into the coefficient.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Product {
    factors: Vec<Expression>,
    coefficient: i128,
}

impl Product {
    /// What the factors are multiplied by; never 0.
    pub fn coefficient(&self) -> i128 {
        self.coefficient
    }

    /// The factors, sorted; at least two.
    pub fn factors(&self) -> &[Expression] {
        &self.factors
    }
}

impl From<Linear> for Expression {
    fn from(linear: Linear) -> Self {
        Self { linear, products: Vec::new() }
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
        let (mut terms, mut constant, mut products) = (Vec::new(), 0i128, Vec::new());
        for summand in summands {
            terms.extend_from_slice(summand.linear.terms());
            constant = symmetric(constant.checked_add(summand.linear.offset()))?;
            products.extend(summand.products);
        }
        products.sort();
        let mut merged: Vec<Product> = Vec::with_capacity(products.len());
        for product in products {
            match merged.last_mut() {
                Some(last) if last.factors == product.factors => {
                    last.coefficient = symmetric(last.coefficient.checked_add(product.coefficient))?;
                }
                _ => merged.push(product),
            }
        }
        merged.retain(|product| product.coefficient != 0);
        Ok(Self { linear: Linear::new(terms, constant)?, products: merged })
    }

    /// The product of many expressions. Constants are multiplied into what is left.
    pub fn product(factors: impl IntoIterator<Item = Self>) -> Result<Self, EvalError> {
        let (mut coefficient, mut variable) = (1i128, Vec::new());
        for mut factor in factors {
            if let Some(n) = factor.as_constant() {
                coefficient = symmetric(coefficient.checked_mul(n))?;
            } else if factor.linear == Linear::default() && factor.products.len() == 1 {
                let inner = factor.products.remove(0);
                coefficient = symmetric(coefficient.checked_mul(inner.coefficient))?;
                variable.extend(inner.factors);
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
            let products = vec![Product { factors: variable, coefficient }];
            return Ok(Self { linear: Linear::default(), products });
        }
        match variable.pop() {
            Some(factor) => factor.scale(coefficient),
            None => Self::constant(coefficient),
        }
    }

    /// `factor` times the expression.
    pub fn scale(mut self, factor: i128) -> Result<Self, EvalError> {
        if factor == 0 {
            return Ok(Self::default());
        }
        self.linear = self.linear.scale(factor)?;
        for product in &mut self.products {
            product.coefficient = symmetric(product.coefficient.checked_mul(factor))?;
        }
        Ok(self)
    }

    /// What divides all its coefficients, with the sign of the first; and the expression divided by it.
    fn primitive(mut self) -> (i128, Self) {
        let numbers = self.linear.terms().iter().map(|(_, c)| *c).chain([self.linear.offset()]);
        let numbers = numbers.chain(self.products.iter().map(|p| p.coefficient));
        let divisor = numbers.fold(0, |a, b| gcd(a, b.abs()));
        let content = if self.leading().is_some_and(|first| first < 0) { -divisor } else { divisor };
        if !matches!(content, 0 | 1) {
            let terms = self.linear.terms().iter().map(|(p, c)| (*p, c / content)).collect();
            let linear = Linear::new(terms, self.linear.offset() / content);
            self.linear = linear.expect("dividing makes numbers smaller");
            self.products.iter_mut().for_each(|product| product.coefficient /= content);
        }
        (content, self)
    }

    /// The expression with the opposite sign. Cannot fail: see [`Linear`].
    pub fn negate(self) -> Self {
        self.scale(-1).expect("numbers are symmetric around 0")
    }

    /// The part without products.
    pub fn linear(&self) -> &Linear {
        &self.linear
    }

    /// The products that are not linear.
    pub fn products(&self) -> &[Product] {
        &self.products
    }

    /// The linear form, if there is nothing else.
    pub fn as_linear(&self) -> Option<&Linear> {
        self.products.is_empty().then_some(&self.linear)
    }

    /// The number it is, if it mentions no place.
    pub fn as_constant(&self) -> Option<i128> {
        self.as_linear().and_then(Linear::as_constant)
    }

    /// Everything but the constant, and the constant.
    pub(crate) fn split(self) -> (Self, i128) {
        let (linear, constant) = self.linear.split();
        (Self { linear, products: self.products }, constant)
    }

    /// The first coefficient, which decides the sign in a comparison's normal form.
    pub(crate) fn leading(&self) -> Option<i128> {
        let linear = self.linear.terms().first().map(|(_, c)| *c);
        linear.or_else(|| self.products.first().map(|p| p.coefficient))
    }

    /// The terms with positive coefficients, and those with negative ones; both without the constant.
    pub(crate) fn by_sign(&self) -> (Self, Self) {
        let part = |positive: bool| {
            let terms = self.linear.terms().iter().copied().filter(|(_, c)| (*c > 0) == positive).collect();
            let linear = Linear::new(terms, 0).expect("a part of a sum in normal form is one");
            let products =
                self.products.iter().filter(|p| (p.coefficient > 0) == positive).cloned().collect();
            Self { linear, products }
        };
        (part(true), part(false))
    }

    /// The value in a marking.
    #[inline]
    pub fn eval<V: View + ?Sized>(&self, view: &V) -> Result<i128, EvalError> {
        let mut sum = self.linear.eval(view)?;
        for product in &self.products {
            let mut value = product.coefficient;
            for factor in &product.factors {
                value = value.checked_mul(factor.eval(view)?).ok_or(EvalError::Overflow)?;
            }
            sum = sum.checked_add(value).ok_or(EvalError::Overflow)?;
        }
        Ok(sum)
    }

    /// Whether its coefficients show that it has a value in every marking. Of products nothing is shown.
    pub fn is_total(&self) -> bool {
        // Counts are below 2^64.
        let coefficients = self.linear.terms().iter().map(|(_, coefficient)| coefficient.unsigned_abs());
        let sum = coefficients.fold(0, u128::saturating_add);
        self.products.is_empty() && sum <= 1 << 62 && self.linear.offset().unsigned_abs() <= 1 << 125
    }

    /// Collects the places it mentions, with repetitions, in no order.
    pub(crate) fn collect_places(&self, into: &mut Vec<PlaceId>) {
        into.extend(self.linear.terms().iter().map(|(place, _)| *place));
        for factor in self.products.iter().flat_map(|p| &p.factors) {
            factor.collect_places(into);
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
