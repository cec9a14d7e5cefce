import importPlugin from 'eslint-plugin-import'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  ...tseslint.configs.recommended,
  {
    plugins: { import: importPlugin },
    rules: {
      'no-console': 'error',
      'eqeqeq': ['error', 'always'],
      '@typescript-eslint/no-explicit-any': 'error',
    },
  },
  {
    files: ['packages/ui/**'],
    rules: { 'import/no-default-export': 'error' },
  },
)
