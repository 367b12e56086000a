import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/**", "dist-faults/**", "coverage/**", ".cache/**", "node_modules/**"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    // One program for all files: the project service takes a third more processor time.
    languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines": ["warn", { max: 400 }],
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      // Code points are what our limits count; graphemes are cut with Intl.Segmenter where people see the cut.
      "@typescript-eslint/no-misused-spread": "off",
      // The compiler forbids enums (erasableSyntaxOnly), and classes with private fields fit no other object.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      // `asId<PromptId>(text)` names the brand at the call; that is its whole use.
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
    },
  },
  {
    // A suite is one long `describe`; its length says nothing about its readability.
    files: ["tests/**/*.ts", "bench/**/*.ts"],
    rules: {
      "max-lines": "off",
      "max-lines-per-function": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^to(MatchObject|Equal|StrictEqual|ContainEqual)$/] > ObjectExpression > Property > Literal[regex]",
          message: "toMatchObject takes any text for a regular expression: use expect.stringMatching.",
        },
      ],
    },
  },
);
