// Who may import whom: one row a folder, as in the README's layout. A row lists all that its folder may import besides itself.
const fpTs = 'node_modules/fp-ts/'
const dsl = '^dsl/'
const compiler = '^compiler/'
const backend = '^backends/(?!index\\.ts)[^/]+\\.ts$'
const ours = '^(dsl|autodiff|compiler|backends|algorithms|models|training|tasks|verify|cli)/'

/** `what` may import `allowed`, fp-ts and nothing else, not even Node's modules. */
const pure = (name, what, ...allowed) => ({
  name: `${name}-imports`,
  severity: 'error',
  from: { path: what },
  to: { pathNot: [what, fpTs, ...allowed] },
})

/** As `pure`, and Node's modules. */
const onNode = (name, what, ...allowed) => {
  const rule = pure(name, what, ...allowed)
  return { ...rule, to: { ...rule.to, dependencyTypesNot: ['core'] } }
}

export default {
  forbidden: [
    pure('dsl', dsl),
    pure('autodiff', '^autodiff/', dsl),
    pure('compiler', compiler, dsl, 'node_modules/tinyqueue/'),
    pure('evaluate', '^backends/cpu/evaluate(\\.ts$|/)', dsl),
    onNode('cpu', '^backends/cpu/', dsl, compiler, backend),
    onNode('webgpu', '^backends/webgpu/', dsl, compiler, backend, 'node_modules/(webgpu|@webgpu/types|@sparticuz/chromium)/'),
    onNode('backends', '^backends/', dsl, compiler, 'node_modules/'), // their packages: the two rows above and dawn-in-webgpu-alone
    pure('algorithms', '^algorithms/', dsl),
    onNode('models', '^models/', dsl, 'node_modules/(@huggingface|zod)/'),
    onNode(
      'training',
      '^training/',
      dsl,
      '^autodiff/',
      compiler,
      '^backends/(backend|index)\\.ts$',
      '^algorithms/',
      '^models/',
      '^tasks/(environment|demonstration)\\.ts$',
      'node_modules/zod/',
    ),
    {
      name: 'tasks-imports',
      comment: 'An environment knows the types of ours alone.',
      severity: 'error',
      from: { path: '^tasks/' },
      to: { path: ours, pathNot: '^tasks/', dependencyTypesNot: ['type-only'] },
    },
    onNode('verify', '^verify/', dsl, '^autodiff/', '^backends/cpu/evaluate\\.ts$', 'node_modules/(fast-check|pure-rand)/'),
    {
      name: 'dawn-in-webgpu-alone',
      severity: 'error',
      from: { path: ours, pathNot: '^backends/webgpu/' },
      to: { path: 'node_modules/(webgpu|@webgpu/types)/' },
    },
    {
      name: 'library-knows-no-program',
      comment: 'cli, examples, bench, scripts and test are read by people and run by hand; nothing builds on them.',
      severity: 'error',
      from: { path: ours, pathNot: '^cli/' },
      to: { path: '^(cli|examples|bench|scripts|test)/' },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle is allowed only through a type.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolves', severity: 'error', from: { path: ours }, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true, // sees `import type`
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^docs/', '^coverage/', '^bench/node_modules/', '^\\.tmp/', '^\\.cache/'] },
  },
}
