// z = x·y for matrices of n × n, n a multiple of 64. Registers alone: an invocation makes 8 rows by two vectors of columns.
@group(0) @binding(0) var<uniform> size: vec4<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> z: array<vec4<f32>>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let n = size.x;
  let quarter = n / 4u;
  let row = at.y * 8u;
  let column = at.x * 2u;
  var s: array<array<vec4<f32>, 2>, 8>;
  for (var k = 0u; k < n; k++) {
    let y0 = y[k * quarter + column];
    let y1 = y[k * quarter + column + 1u];
    let x0 = x[row * n + k];
    let x1 = x[(row + 1u) * n + k];
    let x2 = x[(row + 2u) * n + k];
    let x3 = x[(row + 3u) * n + k];
    let x4 = x[(row + 4u) * n + k];
    let x5 = x[(row + 5u) * n + k];
    let x6 = x[(row + 6u) * n + k];
    let x7 = x[(row + 7u) * n + k];
    s[0][0] += x0 * y0; s[0][1] += x0 * y1;
    s[1][0] += x1 * y0; s[1][1] += x1 * y1;
    s[2][0] += x2 * y0; s[2][1] += x2 * y1;
    s[3][0] += x3 * y0; s[3][1] += x3 * y1;
    s[4][0] += x4 * y0; s[4][1] += x4 * y1;
    s[5][0] += x5 * y0; s[5][1] += x5 * y1;
    s[6][0] += x6 * y0; s[6][1] += x6 * y1;
    s[7][0] += x7 * y0; s[7][1] += x7 * y1;
  }
  for (var i = 0u; i < 8u; i++) {
    z[(row + i) * quarter + column] = s[i][0];
    z[(row + i) * quarter + column + 1u] = s[i][1];
  }
}
