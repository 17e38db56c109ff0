// z[row] = Σ x[row, …] for rows of n, n a multiple of 4: an invocation a row, four numbers at a time.
@group(0) @binding(0) var<uniform> size: vec4<u32>;
@group(0) @binding(1) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> z: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let quarter = size.y / 4u;
  var s = 0.0;
  for (var i = 0u; i < quarter; i++) {
    let v = x[at.x * quarter + i];
    s += v.x; s += v.y; s += v.z; s += v.w;
  }
  z[at.x] = s;
}
