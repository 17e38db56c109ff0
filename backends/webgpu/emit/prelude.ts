import { special } from './special.js'

/**
 * Helper functions by name, in WGSL. A driver may not see what it would fold: word 0 of every parameter block is 0, and what is
 * or-ed with it is, to the driver, any number at all.
 */
const helpers: Readonly<Record<string, string>> = {
  /** A float by its bits, unknown to the driver, which would take x·0 for 0 and x/3 for x·(1/3). */
  float: `fn float(bits: u32) -> f32 { return bitcast<f32>(bits | words[0].x); }`,
  /** x as it was rounded. Without it drivers merge operations: (x + y) − x becomes y, x·y/y becomes x, x·y + x·z becomes x·(y + z). */
  strict: `fn strict(x: f32) -> f32 { return float(bitcast<u32>(x)); }`,

  /** By the bits: x != x is false for NaN on some drivers. */
  is_nan: `fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }`,
  /** A whole number that orders floats as they are ordered, −0 below 0, subnormals too. */
  order: `fn order(x: f32) -> i32 {
  let bits = bitcast<i32>(x);
  return bits ^ ((bits >> 31u) & 0x7fffffff);
}`,
  /** NaN where either is NaN. The built-ins return the number. */
  min_f32: `fn min_f32(x: f32, y: f32) -> f32 { return select(y, x, !is_nan(y) & (is_nan(x) | (order(x) < order(y)))); }`,
  max_f32: `fn max_f32(x: f32, y: f32) -> f32 { return select(y, x, !is_nan(y) & (is_nan(x) | (order(x) > order(y)))); }`,
  /** ±1 with the sign of x; ±0 and NaN as they are. */
  sign_f32: `fn sign_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  return select(x, bitcast<f32>((bits & 0x80000000u) | 0x3f800000u), (bits & 0x7fffffffu) - 1u < 0x7f800000u);
}`,
  recip_f32: `fn recip_f32(x: f32) -> f32 { return float(0x3f800000u) / x; }`,
  rsqrt_f32: `fn rsqrt_f32(x: f32) -> f32 { return float(0x3f800000u) / strict(sqrt(x)); }`,

  /** Towards zero, saturating, NaN to 0. The built-in casts saturate at the greatest float below. */
  to_i32: `fn to_i32(x: f32) -> i32 { return select(select(i32(x), 2147483647, x >= 2147483648.0), 0, is_nan(x)); }`,
  to_u32: `fn to_u32(x: f32) -> u32 { return select(select(u32(x), 4294967295u, x >= 4294967296.0), 0u, is_nan(x)); }`,
  /** The remainder with the sign of y; 0 for y = 0. */
  mod_i32: `fn mod_i32(x: i32, y: i32) -> i32 {
  let r = x % select(y, 1, y == 0);
  return select(r, r + y, (r != 0) & ((r ^ y) < 0));
}`,
  mod_u32: `fn mod_u32(x: u32, y: u32) -> u32 { return x % select(y, 1u, y == 0u); }`,
  /** Threefry-2x32, 20 rounds, of a key and a counter: both words. */
  threefry: `fn threefry(k0: u32, k1: u32, c0: u32, c1: u32) -> vec2<u32> {
  let k = array<u32, 3>(k0, k1, k0 ^ k1 ^ 0x1bd11bdau);
  var x = vec2<u32>(c0 + k0, c1 + k1);
  for (var s = 1u; s <= 5u; s++) {
    let odd = (s & 1u) == 0u;
    x = threefry_round(threefry_round(x, select(13u, 17u, odd)), select(15u, 29u, odd));
    x = threefry_round(threefry_round(x, select(26u, 16u, odd)), select(6u, 24u, odd));
    x += vec2<u32>(k[s % 3u], k[(s + 1u) % 3u] + s);
  }
  return x;
}`,
  threefry_round: `fn threefry_round(x: vec2<u32>, by: u32) -> vec2<u32> {
  let sum = x.x + x.y;
  return vec2<u32>(sum, ((x.y << by) | (x.y >> (32u - by))) ^ sum);
}`,
  /** Whether x is neither 0 nor −0, a subnormal included. */
  to_bool: `fn to_bool(x: f32) -> bool { return (bitcast<u32>(x) << 1u) != 0u; }`,
  ...special,
}

/** The helpers that a text calls, and those that these call, in the order of the table. */
export const preludeFor = (text: string): readonly string[] => {
  const used = new Set<string>()
  const visit = (code: string): void => {
    for (const [, name = ''] of code.matchAll(/\b(\w+)\(/g)) {
      const helper = helpers[name]
      if (helper === undefined || used.has(name)) continue
      used.add(name)
      visit(helper)
    }
  }
  visit(text)
  return Object.entries(helpers).flatMap(([name, helper]) => (used.has(name) ? [helper] : []))
}
