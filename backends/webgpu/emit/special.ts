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

  /** x⁺ + ln(1 + e^{−|x|}): the power never overflows. */
  softplus_f32: `fn softplus_f32(x: f32) -> f32 { return select(0.0, x, !(x < 0.0)) + log1p_f32(exp_f32(-abs(x))); }`,
} as const
