// z = exp(x − max) / Σ exp(x − max) for rows of n, n a multiple of 4: an invocation a row, four numbers at a time.
@group(0) @binding(0) var<uniform> size: vec4<u32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> z: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let quarter = size.y / 4u;
  let row = at.x * quarter;
  var m = x[row];
  for (var i = 1u; i < quarter; i++) { m = max(m, x[row + i]); }
  let most = max(max(m.x, m.y), max(m.z, m.w));
  var s = vec4<f32>(0.0);
  for (var i = 0u; i < quarter; i++) {
    let e = exp(x[row + i] - most);
    s += e;
    z[row + i] = e;
  }
  let total = s.x + s.y + s.z + s.w;
  for (var i = 0u; i < quarter; i++) { z[row + i] /= total; }
}
