/**
 * The functions whose WGSL built-ins are inaccurate or wrong at the edges, in WGSL of our own: within 4 ulp of the true value, with
 * relative accuracy near zero, and with NaN, ±∞ and ±0 as IEEE 754 has them. A result that is subnormal may be 0.
 *
 * `strict` stands where a driver's algebra would undo the error analysis. Literals are safe where no rule of algebra applies to them.
 */

/** x = n·ln 2 + r with |r| ≤ ½·ln 2. n·355/512 is exact, and so is its difference from x. */
const reduce = `
  let n = floor(y * 1.44269504 + 0.5);
  let r = strict(y - n * 0.693359375) + n * 2.12194440e-4;`

/** (eʳ − 1 − r)/r² for |r| ≤ ½·ln 2: the minimax polynomial of Cephes' expf. */
const expSeries =
  '(((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r + 1.6666665459e-1) * r + 0.5)'

export const special = {
  /** 2ⁿ for −126 ≤ n ≤ 127, by its exponent bits. */
  power_of_2: `fn power_of_2(n: i32) -> f32 { return bitcast<f32>((n + 127) << 23u); }`,

  /** 2ⁿ·eʳ. The power is applied in two halves, since 2ⁿ alone may overflow. Beyond the bounds the result is 0 or ∞ as at them. */
  exp_f32: `fn exp_f32(x: f32) -> f32 {
  let y = select(select(x, 89.0, x > 89.0), -104.0, x < -104.0);${reduce}
  let e = 1.0 + (r + r * r * ${expSeries});
  let k = i32(n);
  return e * power_of_2(k >> 1u) * power_of_2(k - (k >> 1u));
}`,

  /** 2·(2ⁿ⁻¹·(eʳ − 1) + (2ⁿ⁻¹ − ½)): nothing cancels, and 2ⁿ⁻¹ does not overflow. Below −30 the result is −1. */
  expm1_f32: `fn expm1_f32(x: f32) -> f32 {
  let y = select(select(x, 89.0, x > 89.0), -30.0, x < -30.0);${reduce}
  let e = strict(r + r * r * ${expSeries});
  let half = power_of_2(i32(n) - 1);
  return select(2.0 * (half * e + strict(half - 0.5)), x, abs(x) < 2.0e-8);
}`,

  /**
   * x = 2ᵏ·m with m in [√½, √2), and ln m by fdlibm's logf. A subnormal x is its mantissa times 2⁻¹⁴⁹; arithmetic may take it for 0,
   * so its bits are converted.
   */
  log_f32: `fn log_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let subnormal = bits < 0x00800000u;
  let normal = select(bits, bitcast<u32>(f32(bits)), subnormal);
  let k = bitcast<i32>(normal - 0x3f3504f3u) >> 23u;
  let m = strict(bitcast<f32>(normal - (bitcast<u32>(k) << 23u)));
  let r = strict(m - 1.0);
  let s = r / (2.0 + r);
  let z = s * s;
  let w = z * z;
  let series = z * (0.66666662693 + w * 0.28498786688) + w * (0.40000972152 + w * 0.24279078841);
  let square = 0.5 * r * r;
  let exponent = f32(select(k, k - 149, subnormal));
  let tail = strict(s * (square + series) + exponent * 9.0580006145e-6);
  let y = exponent * 6.9313812256e-1 - (strict(square - tail) - r);
  let edge = select(select(float(0x7fc00000u), x, bits == 0x7f800000u), float(0xff800000u), (bits << 1u) == 0u);
  return select(edge, y, bits - 1u < 0x7f7fffffu);
}`,

  /** ln u · x/(u − 1) with u = 1 + x as rounded: the quotient mends what the rounding lost. */
  log1p_f32: `fn log1p_f32(x: f32) -> f32 {
  let u = strict(1.0 + x);
  let y = log_f32(u);
  let mended = y * (x / strict(u - 1.0));
  return select(select(mended, y, x > 1.0e9), x, u == 1.0);
}`,

  /** −t/(2 + t) with t = e^{−2|x|} − 1, and the sign of x. Below 2⁻¹² the result is x. */
  tanh_f32: `fn tanh_f32(x: f32) -> f32 {
  let t = expm1_f32(-2.0 * abs(x));
  let y = select(-t / (2.0 + t), abs(x), abs(x) < 2.4e-4);
  return bitcast<f32>(bitcast<u32>(y) | (bitcast<u32>(x) & 0x80000000u));
}`,

  /** 1/(1 + e⁻ˣ) where x ≥ 0, else eˣ/(1 + eˣ): the power never overflows. */
  sigmoid_f32: `fn sigmoid_f32(x: f32) -> f32 {
  let e = exp_f32(-abs(x));
  return select(e, 1.0, x >= 0.0) / (1.0 + e);
}`,

  /**
   * −π/4 ≤ r ≤ π/4 with x = q·π/2 + r, as [r, q mod 4] (Payne and Hanek), for finite |x| > π/4. With |x| = m·2ᵉ and m of 24 bits only 96
   * binary digits of 2/π matter: those before are multiples of 4 when multiplied by x. The turns have 62 bits behind the point.
   */
  two_over_pi: `fn two_over_pi(i: u32) -> u32 {
  switch i {
    case 1u: { return 0xa2f9836eu; }
    case 2u: { return 0x4e441529u; }
    case 3u: { return 0xfc2757d1u; }
    case 4u: { return 0xf534ddc0u; }
    case 5u: { return 0xdb629599u; }
    case 6u: { return 0x3c439041u; }
    case 7u: { return 0xfe5163abu; }
    default: { return 0u; }
  }
}`,
  /** The 32 digits that follow the first `bit` of the table, which begins with a word of zeros. */
  digits: `fn digits(bit: u32) -> u32 {
  let i = bit >> 5u;
  let s = bit & 31u;
  let word = two_over_pi(i);
  return select((word << s) | (two_over_pi(i + 1u) >> (32u - max(s, 1u))), word, s == 0u);
}`,
  /** The high word of the product of m < 2²⁴ and w. */
  high_product: `fn high_product(m: u32, w: u32) -> u32 {
  let low = (m & 0xffffu) * (w & 0xffffu);
  let middle = (m & 0xffffu) * (w >> 16u) + (low >> 16u);
  let other = (m >> 16u) * (w & 0xffffu) + (middle & 0xffffu);
  return (m >> 16u) * (w >> 16u) + (middle >> 16u) + (other >> 16u);
}`,
  quarters: `fn quarters(x: f32) -> vec2<f32> {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let m = (bits & 0x7fffffu) | 0x800000u;
  let at = (bits >> 23u) - 120u;
  let second = digits(at + 32u);
  let low = m * second;
  let sum = low + high_product(m, digits(at + 64u));
  let high = m * digits(at) + high_product(m, second) + select(0u, 1u, sum < low);
  let turn = bitcast<i32>(high << 2u) >> 2u;
  let negative = turn < 0;
  let low_size = select(sum, 0u - sum, negative);
  let high_size = select(bitcast<u32>(turn), 0u - bitcast<u32>(turn) - select(1u, 0u, sum == 0u), negative);
  let size = (f32(high_size) + f32(low_size) * 2.3283064e-10) * 1.4629180e-9;
  return vec2<f32>(select(size, -size, negative), f32((high + 0x20000000u) >> 30u));
}`,
  /** sin(x + q·π/2) for x ≥ 0, by the polynomials of Cephes' sinf and cosf for |r| ≤ π/4. */
  sin_quarters: `fn sin_quarters(x: f32, q: u32) -> f32 {
  let bits = bitcast<u32>(x);
  var r = x;
  var n = q;
  if bits > 0x3f490fdau {
    let found = quarters(x);
    r = found.x;
    n = q + u32(found.y);
  }
  let z = r * r;
  let s = r + r * z * ((-1.9515295891e-4 * z + 8.3321608736e-3) * z - 1.6666654611e-1);
  let c = 1.0 - (0.5 * z - z * z * ((2.443315711809948e-5 * z - 1.388731625493765e-3) * z + 4.166664568298827e-2));
  let y = select(s, c, (n & 1u) == 1u);
  return select(select(y, -y, (n & 2u) == 2u), float(0x7fc00000u), bits >= 0x7f800000u);
}`,
  /** Odd: the sign is turned with that of x, also at −0. */
  sin_f32: `fn sin_f32(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(sin_quarters(abs(x), 0u)) ^ (bitcast<u32>(x) & 0x80000000u));
}`,
  cos_f32: `fn cos_f32(x: f32) -> f32 { return sin_quarters(abs(x), 1u); }`,

  /** a·P(a²) below 1; above, 1 − e^{−Q(a)} with Q a polynomial near −ln(1 − erf a): both minimax. From 4 on it is 1. */
  erf_f32: `fn erf_f32(x: f32) -> f32 {
  let a = select(min(abs(x), 4.0), x, is_nan(x));
  let z = a * a;
  let near = (((((7.889119297e-5 * z - 8.020840851e-4) * z + 5.189535208e-3) * z - 2.685444430e-2) * z + 1.1283600330e-1) * z - 3.7612625957e-1) * z;
  let far = (((((-1.8557489966e-4 * a + 2.9396156315e-3) * a - 2.1805351600e-2) * a + 1.0303743184e-1) * a + 6.3822561502e-1) * a + 1.1270400286) * a + 3.5370892147e-4;
  let y = select(1.0 - exp_f32(-far), a * (near + 1.1283792), !(a >= 1.0));
  return bitcast<f32>((bitcast<u32>(y) & 0x7fffffffu) | (bitcast<u32>(x) & 0x80000000u));
}`,

  /** The first 12 bits of a float: products of two such are exact. */
  head: `fn head(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u); }`,
  /**
   * log₂ x in two parts, the first of 12 bits, for finite x > 0: FreeBSD's powf, after fdlibm. x = 2ⁿ·m with m about 1 or 1½ = b, and
   * log m − log b is a series in s = (m − b)/(m + b), which is kept in two parts as well.
   */
  log2_parts: `fn log2_parts(x: f32) -> vec2<f32> {
  let given = bitcast<u32>(x);
  let subnormal = given < 0x00800000u;
  let bits = select(given, bitcast<u32>(f32(given)), subnormal);
  let digits = bits & 0x7fffffu;
  let half = (digits > 0x1cc471u) & (digits < 0x5db3d7u);
  let above = digits >= 0x5db3d7u;
  let n = f32(i32(bits >> 23u) - 127 - select(0, 149, subnormal) + select(0, 1, above));
  let m = strict(bitcast<f32>((digits | 0x3f800000u) - select(0u, 0x00800000u, above)));
  let b = select(1.0, 1.5, half);
  let u = strict(m - b);
  let sum = strict(m + b);
  let v = strict(1.0 / sum);
  let s = strict(u * v);
  let s_head = head(s);
  let t_head = head(sum);
  let t_tail = strict(m - strict(t_head - b));
  let s_tail = strict(v * (strict(u - strict(s_head * t_head)) - strict(s_head * t_tail)));
  let z = s * s;
  let series = z * z * (6.0000002384e-1 + z * (4.2857143283e-1 + z * (3.3333334327e-1 + z * (2.7272811532e-1 + z * (2.3066075146e-1 + z * 2.0697501302e-1)))));
  let r = strict(series + s_tail * strict(s_head + s));
  let square = strict(s_head * s_head);
  let w_head = head(strict(strict(3.0 + square) + r));
  let w_tail = strict(r - strict(strict(w_head - 3.0) - square));
  let p = strict(s_head * w_head);
  let q = strict(s_tail * w_head + w_tail * s);
  let p_head = head(strict(p + q));
  let p_tail = strict(q - strict(p_head - p));
  let z_head = strict(9.6191406250e-1 * p_head);
  let z_tail = strict(-1.1736857402e-4 * p_head + p_tail * 9.6179670095e-1 + select(0.0, 1.56322085e-6, half));
  let base = select(0.0, 5.84960938e-1, half);
  let first = head(strict(strict(strict(z_head + z_tail) + base) + n));
  return vec2<f32>(first, z_tail - strict(strict(strict(first - n) - base) - z_head));
}`,
  /** |x|^y = 2^(y·log₂|x|), the exponent in two parts. */
  power_size: `fn power_size(x: f32, y: f32) -> f32 {
  let log = log2_parts(x);
  let y_head = head(y);
  let tail = strict(strict(y - y_head) * log.x + y * log.y);
  let p = strict(y_head * log.x);
  let z = strict(p + tail);
  let k = floor(clamp(z, -160.0, 160.0) + 0.5);
  let r = strict(strict(p - k) + tail) * 0.69314718;
  let e = 1.0 + (r + r * r * ${expSeries});
  let n = i32(k);
  let y_finite = e * power_of_2(n >> 1u) * power_of_2(n - (n >> 1u));
  return select(select(y_finite, float(0x7f800000u), z > 129.0), 0.0, z < -152.0);
}`,
  /** C's pow: 1 wherever y is 0 or |x| is 1, but for the sign; odd powers keep the sign of x; a broken power of a number below 0 is NaN. */
  pow_f32: `fn pow_f32(x: f32, y: f32) -> f32 {
  let x_bits = bitcast<u32>(x) & 0x7fffffffu;
  let y_bits = bitcast<u32>(y) & 0x7fffffffu;
  let x_negative = bitcast<u32>(x) != x_bits;
  let y_negative = bitcast<u32>(y) != y_bits;
  let whole = (y_bits >= 0x4b800000u) | (floor(y) == y);
  let odd = whole & (y_bits < 0x4b800000u) & ((i32(y) & 1) == 1);
  let edge = (x_bits == 0u) | (x_bits == 0x7f800000u);
  let at_edge = select(0.0, float(0x7f800000u), (x_bits == 0u) == y_negative);
  let size = select(power_size(abs(x), clamp(y, -1.7179869e10, 1.7179869e10)), at_edge, edge);
  let broken = x_negative & (x_bits != 0u) & (x_bits < 0x7f800000u) & !whole;
  let unknown = broken | (x_bits > 0x7f800000u) | (y_bits > 0x7f800000u);
  let y_infinite_of_one = (x_bits == 0x3f800000u) & (y_bits == 0x7f800000u);
  let sign = select(0u, 0x80000000u, x_negative & odd);
  let power = select(bitcast<f32>(bitcast<u32>(size) ^ sign), float(0x7fc00000u), unknown);
  return select(power, 1.0, (y_bits == 0u) | (bitcast<u32>(x) == 0x3f800000u) | y_infinite_of_one);
}`,

  /** The bits of m·2^(e − 150), for m < 2²⁴. */
  scaled: `fn scaled(m: u32, e: u32) -> u32 {
  let shift = min(max(countLeadingZeros(m), 8u) - 8u, e - 1u);
  return select(((e - shift - 1u) << 23u) + (m << shift), 0u, m == 0u);
}`,
  /**
   * x − ⌊x/y⌋·y by long division of the mantissas, eight bits at a time. Only where |x| < |y| is a sum rounded; beside a y that is not
   * subnormal an x that is counts as 0.
   */
  mod_f32: `fn mod_f32(x: f32, y: f32) -> f32 {
  let x_bits = bitcast<u32>(x) & 0x7fffffffu;
  let y_bits = bitcast<u32>(y) & 0x7fffffffu;
  let y_sign = bitcast<u32>(y) & 0x80000000u;
  let unknown = (x_bits >= 0x7f800000u) | (y_bits > 0x7f800000u) | (y_bits == 0u);
  let tiny = y_bits < 0x00800000u;
  var rest = select(x_bits, 0u, (x_bits < 0x00800000u) & !tiny);
  var other = select(bitcast<u32>(strict(x + y)), y_sign | (y_bits - x_bits), tiny);
  if !unknown & (x_bits >= y_bits) {
    let e = max(y_bits >> 23u, 1u);
    let divisor = (y_bits & 0x7fffffu) | select(0x800000u, 0u, tiny);
    var m = ((x_bits & 0x7fffffu) | select(0u, 0x800000u, x_bits >= 0x800000u)) % divisor;
    var places = max(x_bits >> 23u, 1u) - e;
    while places > 0u {
      let step = min(places, 8u);
      m = (m << step) % divisor;
      places -= step;
    }
    rest = scaled(m, e);
    other = y_sign | scaled(divisor - m, e);
  }
  let sign = bitcast<u32>(x) & 0x80000000u;
  let bits = select(rest | sign, other, (rest != 0u) & (sign != y_sign));
  return select(bitcast<f32>(bits), float(0x7fc00000u), unknown);
}`,

  /** x⁺ + ln(1 + e^{−|x|}): the power never overflows. */
  softplus_f32: `fn softplus_f32(x: f32) -> f32 { return select(0.0, x, !(x < 0.0)) + log1p_f32(exp_f32(-abs(x))); }`,
} as const
