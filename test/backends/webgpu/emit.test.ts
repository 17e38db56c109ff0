import { describe, expect, test } from 'vitest'
import { emitKernel } from '../../../backends/webgpu/index.js'
import type { Access, Expr, Kernel, LoopOp, Statement } from '../../../compiler/index.js'
import type { DType } from '../../../dsl/index.js'

const op = (name: LoopOp, dtype: DType, ...operands: readonly Expr[]): Expr => ({ tag: 'op', dtype, op: name, operands })
const plus = (x: Expr, y: Expr): Expr => op('add', x.dtype, x, y)
const times = (x: Expr, y: Expr): Expr => op('mul', x.dtype, x, y)
const literal = (value: number, dtype: DType = 'f32'): Expr => ({ tag: 'literal', dtype, value })
const size = (slot: number): Expr => ({ tag: 'parameter', dtype: 'i32', slot })
const index = (name: string): Expr => ({ tag: 'index', dtype: 'i32', name })
const variable = (name: string, dtype: DType = 'f32'): Expr => ({ tag: 'variable', dtype, name })
const read = (buffer: number, at: Expr, dtype: DType = 'f32'): Expr => ({ tag: 'read', dtype, buffer, at })
const loop = (name: string, extent: Expr, ...body: readonly Statement[]): Statement => ({ tag: 'for', loop: { index: name, extent }, body })
const store = (at: Expr, value: Expr): Statement => ({ tag: 'store', buffer: 0, at, value })

const kernel = (
  parts: Pick<Kernel, 'parameters' | 'body'> & {
    readonly reads: readonly DType[]
    readonly over: readonly Expr[]
    readonly access?: Access
  },
): Kernel => ({
  name: 'test',
  buffers: [{ dtype: 'f32', access: parts.access ?? 'write' }, ...parts.reads.map((dtype) => ({ dtype, access: 'read' }) as const)],
  parameters: parts.parameters,
  space: parts.over.map((extent, i) => ({ index: `i${String(i)}`, extent })),
  body: parts.body,
})

const [i0, i1, i2] = [index('i0'), index('i1'), index('i2')]
const acc = variable('acc')

const sum = kernel({
  parameters: ['i32', 'i32'],
  reads: ['f32'],
  over: [size(0)],
  body: [
    { tag: 'var', name: 'acc', value: literal(0) },
    loop('i1', size(1), { tag: 'assign', name: 'acc', value: plus(acc, read(1, plus(times(i0, size(1)), i1))) }),
    store(i0, acc),
  ],
})

const x = read(1, variable('t0', 'i32'))
const y = read(2, i0)
const pointwise = kernel({
  parameters: ['i32', 'i32', 'f32'],
  reads: ['f32', 'f32'],
  over: [size(0), size(1)],
  body: [
    { tag: 'let', name: 't0', value: plus(times(i0, size(1)), i1) },
    store(
      variable('t0', 'i32'),
      op(
        'select',
        'f32',
        op('less', 'bool', x, literal(0)),
        op('div', 'f32', times(x, y), y),
        plus(times(x, { tag: 'parameter', dtype: 'f32', slot: 2 }), op('exp', 'f32', plus(x, y))),
      ),
    ),
  ],
})

const contract = kernel({
  parameters: ['i32'],
  reads: ['f32', 'f32'],
  over: [size(0), literal(96, 'i32')],
  body: [
    { tag: 'var', name: 'acc', value: literal(0) },
    loop('i2', literal(64, 'i32'), {
      tag: 'assign',
      name: 'acc',
      value: plus(acc, times(read(1, plus(times(i0, literal(64, 'i32')), i2)), read(2, plus(i1, times(i2, literal(96, 'i32')))))),
    }),
    store(plus(times(i0, literal(96, 'i32')), i1), acc),
  ],
})

const id = read(1, i2, 'i32')
const target = plus(i0, times(id, size(0)))
const scatterAdd = kernel({
  parameters: ['i32', 'i32', 'i32'],
  reads: ['i32', 'f32'],
  over: [size(0)],
  access: 'readWrite',
  body: [
    loop('i1', size(1), store(plus(i0, times(i1, size(0))), literal(0))),
    loop('i2', size(2), {
      tag: 'if',
      condition: op('and', 'bool', op('lessEqual', 'bool', literal(0, 'i32'), id), op('less', 'bool', id, size(1))),
      body: [store(target, plus(read(0, target), read(2, plus(i0, times(i2, size(0))))))],
    }),
  ],
})

describe('the WGSL of a kernel:', () => {
  test('a sum', () => {
    expect(emitKernel(sum)).toMatchInlineSnapshot(`
      "@group(0) @binding(0) var<uniform> words: array<vec4<u32>, 1>;
      @group(0) @binding(1) var<storage, read_write> b0: array<f32>;
      @group(0) @binding(2) var<storage, read_write> b1: array<f32>;

      fn float(bits: u32) -> f32 { return bitcast<f32>(bits | words[0].x); }

      @compute @workgroup_size(64)
      fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
        let p0 = bitcast<i32>(words[0].y);
        let p1 = bitcast<i32>(words[0].z);
        let zero = float(0x00000000u);
        let point = (group.y * groups.x + group.x) * 64u + local.x;
        if point >= u32(p0) { return; }
        let i0 = i32(point);
        var acc = zero;
        for (var i1 = 0; i1 < p1; i1++) {
          acc = (acc + b1[((i0 * p1) + i1)]);
        }
        b0[i0] = acc;
      }
      "
    `)
  })

  test('pointwise work, with literals and roundings hidden from a driver that would fold them', () => {
    expect(emitKernel(pointwise)).toMatchInlineSnapshot(`
      "@group(0) @binding(0) var<uniform> words: array<vec4<u32>, 1>;
      @group(0) @binding(1) var<storage, read_write> b0: array<f32>;
      @group(0) @binding(2) var<storage, read_write> b1: array<f32>;
      @group(0) @binding(3) var<storage, read_write> b2: array<f32>;

      fn float(bits: u32) -> f32 { return bitcast<f32>(bits | words[0].x); }

      fn strict(x: f32) -> f32 { return float(bitcast<u32>(x)); }

      fn power_of_2(n: i32) -> f32 { return bitcast<f32>((n + 127) << 23u); }

      fn exp_f32(x: f32) -> f32 {
        let y = select(select(x, 89.0, x > 89.0), -104.0, x < -104.0);
        let n = floor(y * 1.44269504 + 0.5);
        let r = strict(y - n * 0.693359375) + n * 2.12194440e-4;
        let e = 1.0 + (r + r * r * (((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r + 1.6666665459e-1) * r + 0.5));
        let k = i32(n);
        return e * power_of_2(k >> 1u) * power_of_2(k - (k >> 1u));
      }

      @compute @workgroup_size(64)
      fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
        let p0 = bitcast<i32>(words[0].y);
        let p1 = bitcast<i32>(words[0].z);
        let p2 = bitcast<f32>(words[0].w);
        let zero = float(0x00000000u);
        let point = (group.y * groups.x + group.x) * 64u + local.x;
        if point >= u32(p0) * u32(p1) { return; }
        let i1 = i32(point % u32(p1));
        let rest1 = point / u32(p1);
        let i0 = i32(rest1);
        let t0 = ((i0 * p1) + i1);
        b0[t0] = select(((b1[t0] * p2) + exp_f32(strict((b1[t0] + b2[i0])))), (strict((b1[t0] * b2[i0])) / b2[i0]), (b1[t0] < zero));
      }
      "
    `)
  })

  test('a contraction, whose product may be fused with the sum', () => {
    expect(emitKernel(contract)).toMatchInlineSnapshot(`
      "@group(0) @binding(0) var<uniform> words: array<vec4<u32>, 1>;
      @group(0) @binding(1) var<storage, read_write> b0: array<f32>;
      @group(0) @binding(2) var<storage, read_write> b1: array<f32>;
      @group(0) @binding(3) var<storage, read_write> b2: array<f32>;

      fn float(bits: u32) -> f32 { return bitcast<f32>(bits | words[0].x); }

      @compute @workgroup_size(64)
      fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
        let p0 = bitcast<i32>(words[0].y);
        let zero = float(0x00000000u);
        let point = (group.y * groups.x + group.x) * 64u + local.x;
        if point >= u32(p0) * 96u { return; }
        let i1 = i32(point % 96u);
        let rest1 = point / 96u;
        let i0 = i32(rest1);
        var acc = zero;
        for (var i2 = 0; i2 < i32(64u | words[0].x); i2++) {
          acc = (acc + (b1[((i0 * 64) + i2)] * b2[(i1 + (i2 * 96))]));
        }
        b0[((i0 * 96) + i1)] = acc;
      }
      "
    `)
  })

  test('a scatter', () => {
    expect(emitKernel(scatterAdd)).toMatchInlineSnapshot(`
      "@group(0) @binding(0) var<uniform> words: array<vec4<u32>, 1>;
      @group(0) @binding(1) var<storage, read_write> b0: array<f32>;
      @group(0) @binding(2) var<storage, read_write> b1: array<i32>;
      @group(0) @binding(3) var<storage, read_write> b2: array<f32>;

      fn float(bits: u32) -> f32 { return bitcast<f32>(bits | words[0].x); }

      @compute @workgroup_size(64)
      fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
        let p0 = bitcast<i32>(words[0].y);
        let p1 = bitcast<i32>(words[0].z);
        let p2 = bitcast<i32>(words[0].w);
        let zero = float(0x00000000u);
        let point = (group.y * groups.x + group.x) * 64u + local.x;
        if point >= u32(p0) { return; }
        let i0 = i32(point);
        for (var i1 = 0; i1 < p1; i1++) {
          b0[(i0 + (i1 * p0))] = zero;
        }
        for (var i2 = 0; i2 < p2; i2++) {
          if ((0 <= b1[i2]) & (b1[i2] < p1)) {
            b0[(i0 + (b1[i2] * p0))] = (b0[(i0 + (b1[i2] * p0))] + b2[(i0 + (i2 * p0))]);
          }
        }
      }
      "
    `)
  })
})

test('a driver does not see how often a loop of known extent turns, and so does not unroll it', () => {
  const body = [loop('i1', literal(64, 'i32'), store(plus(times(i0, literal(64, 'i32')), i1), literal(1)))]
  expect(emitKernel(kernel({ parameters: ['i32'], reads: [], over: [size(0)], body }))).toContain('i1 < i32(64u | words[0].x); i1++')
})

test('the index of a loop does not hide a type', () => {
  const body = [loop('i32', size(1), store(plus(i0, index('i32')), literal(1)))]
  expect(emitKernel(kernel({ parameters: ['i32', 'i32'], reads: [], over: [size(0)], body }))).toContain(
    'for (var i_32 = 0; i_32 < p1; i_32++) {\n    b0[(i0 + i_32)] = one;',
  )
})

test('the name of a kernel is no part of its text', () => {
  expect(emitKernel({ ...sum, name: 'other' })).toBe(emitKernel(sum))
})

test('a parallel space of three axes is taken apart from the innermost', () => {
  expect(
    emitKernel(kernel({ parameters: ['i32', 'i32', 'i32'], reads: [], over: [0, 1, 2].map(size), body: [store(i2, literal(1))] })),
  ).toContain(
    `  let i2 = i32(point % u32(p2));
  let rest2 = point / u32(p2);
  let i1 = i32(rest2 % u32(p1));
  let rest1 = rest2 / u32(p1);
  let i0 = i32(rest1);`,
  )
})

const deepestIn = (line: string): number => {
  let depth = 0
  return Array.from(line).reduce((most, sign) => Math.max(most, (depth += sign === '(' ? 1 : sign === ')' ? -1 : 0)), 0)
}

test('an expression that nests deeper than a parser goes is written in parts', () => {
  const value = Array.from({ length: 250 }).reduce<Expr>((e) => plus(e, read(1, i0)), read(1, i0))
  const text = emitKernel(kernel({ parameters: ['i32'], reads: ['f32'], over: [size(0)], body: [store(i0, value)] }))
  expect(Math.max(...text.split('\n').map(deepestIn))).toBeLessThan(100)
})
