// softmax.wgsl with axgrad's exponential, which keeps its ulps; WGSL's own need not.
@group(0) @binding(0) var<uniform> size: vec4<u32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> z: array<vec4<f32>>;

fn power_of_2(n: vec4<i32>) -> vec4<f32> { return bitcast<vec4<f32>>((n + 127) << vec4<u32>(23u)); }

fn exp_f32(x: vec4<f32>) -> vec4<f32> {
  let y = select(select(x, vec4<f32>(89.0), x > vec4<f32>(89.0)), vec4<f32>(-104.0), x < vec4<f32>(-104.0));
  let n = floor(y * 1.44269504 + 0.5);
  // The rounding of the first product must not be merged with the second: word z is a 0 that the driver does not know.
  let r = bitcast<vec4<f32>>(bitcast<vec4<u32>>(y - n * 0.693359375) | vec4<u32>(size.z)) + n * 2.12194440e-4;
  let e = 1.0 + (r + r * r * (((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r + 1.6666665459e-1) * r + 0.5));
  let k = vec4<i32>(n);
  return e * power_of_2(k >> vec4<u32>(1u)) * power_of_2(k - (k >> vec4<u32>(1u)));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let quarter = size.y / 4u;
  let row = at.x * quarter;
  var m = x[row];
  for (var i = 1u; i < quarter; i++) { m = max(m, x[row + i]); }
  let most = max(max(m.x, m.y), max(m.z, m.w));
  var s = vec4<f32>(0.0);
  for (var i = 0u; i < quarter; i++) {
    let e = exp_f32(x[row + i] - most);
    s += e;
    z[row + i] = e;
  }
  let total = s.x + s.y + s.z + s.w;
  for (var i = 0u; i < quarter; i++) { z[row + i] /= total; }
}
