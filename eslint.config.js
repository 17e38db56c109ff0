import prettier from 'eslint-config-prettier'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

const anyAxes = 'a scalar is not assignable to Tensor<any>; take AnyTensor, or write the cast as one `as Name` on a facade'

export default defineConfig(
  { ignores: ['node_modules/', 'dist/', 'coverage/', 'docs/api/', '.tmp/', '.cache/', 'runs/', 'test/golden/*.json', '**/*.d.ts'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, prettier],
    languageOptions: { parserOptions: { project: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // With noUncheckedIndexedAccess, `!` is how a loop says that its index is in range.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // The slowest rule by far, about what `TSEnumDeclaration` below leaves none of.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // A closed set has no default: a forgotten case does not compile.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: false }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/no-generated-empty-object-type': 'off', // a tag without fields
      eqeqeq: 'error',
      'no-console': 'error',
      'no-param-reassign': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: 'TSAsExpression > TSAnyKeyword', message: anyAxes },
        { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
      ],
    },
  },
  { files: ['*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['cli/**', 'examples/**', 'bench/**', 'scripts/**'], rules: { 'no-console': 'off' } },
  // vitest's asymmetric matchers are `any`.
  { files: ['test/**'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
)
