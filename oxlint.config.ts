import { defineConfig } from "oxlint";

/** Folders of the SDK. Each folder imports only the folders before it. */
const LAYERS = ["protocol", "chain", "bots", "games", "player", "verify", "laws"];
const COMMANDS = ["agent", "api", "mint", "play", "relay", "simulate", "verify"];

const NODE = {
  group: ["node:*", "hardhat", "hardhat/*", "@nomicfoundation/*"],
  message: "The SDK runs in browsers too.",
};
const TESTS = { group: ["chai", "mocha"], message: "Of the SDK only the laws are tests." };
const SCRIPTS = { regex: "^(\\.\\./)+scripts/", message: "What people run needs nothing that works on the project." };
const CAN_PARSE = {
  object: "URL",
  property: "canParse",
  message: "Node is wrong about texts with letters like é once it has compiled the call: use URL.parse.",
};
const WAIT =
  "Wait for what is meant: nobody knows how fast the machine is. PATIENCE of test/support is for what would hang.";
/** Names of parameters that are time limits in milliseconds, here and in libraries. */
const LIMIT = "/^(timeout|timeLimit|navigationTimeout|actionTimeout|testTimeout|hookTimeout)$/";
/** Literal numbers, and constants except PATIENCE; functions and computed values are allowed. */
const TIME =
  ":matches(Literal[value!=0], BinaryExpression, Identifier[name=/^[A-Z][A-Z_0-9]*$/]:not([name='PATIENCE']))";
/** Time limits as tests write them. */
const LIMITS = [
  // If the test has its own clock, its times do not depend on the machine.
  `ObjectExpression:not(:has(> Property[key.name='clock'])) > Property[key.name=${LIMIT}] > ${TIME}.value`,
  `AssignmentExpression[left.property.name=${LIMIT}] > ${TIME}.right`,
  "CallExpression[callee.property.name=/^setDefault(Navigation)?Timeout$/]:not([arguments.0.name='PATIENCE'])",
  // A race with a timer, or a timer that ends, throws or rejects.
  "CallExpression[callee.object.name='Promise'][callee.property.name='race'] CallExpression[callee.name='setTimeout']",
  "CallExpression[callee.name='setTimeout'] > Identifier.arguments:first-child[name=/reject|fail|abort/]",
  "CallExpression[callee.name='setTimeout'] > .arguments:first-child CallExpression[callee.name=/reject|fail/]",
  "CallExpression[callee.name='setTimeout'] > .arguments:first-child ThrowStatement",
  // A number of polls with a pause between them.
  "ForStatement[test.operator=/^<=?$/]:has(CallExpression[callee.name=/^(pause|setTimeout|wait|sleep)$/])",
  "ForStatement[test.type='LogicalExpression']:has(CallExpression[callee.name=/^(pause|setTimeout|wait|sleep)$/])",
  // A test may assert that elapsed time is long enough, never that it is short enough.
  "BinaryExpression[operator=/^[<>]=?$/]:has(CallExpression[callee.object.name='performance'][callee.property.name='now'])",
  "CallExpression[callee.property.name=/^(lessThan|below|lt|lte|most|within|closeTo)$/]:has(CallExpression[callee.object.name='performance'])",
].map((selector) => ({ selector, message: WAIT }));
/** Rules beyond correctness, as in typescript-eslint's strict set. */
const STRICT = [
  "eqeqeq",
  "no-array-constructor",
  "no-case-declarations",
  "no-empty",
  "no-fallthrough",
  "no-prototype-builtins",
  "no-regex-spaces",
  "no-unexpected-multiline",
  "no-useless-constructor",
  "no-var",
  "prefer-const",
  "prefer-rest-params",
  "prefer-spread",
  "preserve-caught-error",
  ...[
    "ban-ts-comment",
    "no-deprecated",
    "no-dynamic-delete",
    "no-empty-object-type",
    "no-explicit-any",
    "no-extraneous-class",
    "no-generated-empty-object-type",
    "no-invalid-void-type",
    "no-misused-promises",
    "no-mixed-enums",
    "no-namespace",
    "no-non-null-asserted-nullish-coalescing",
    "no-require-imports",
    "no-unnecessary-boolean-literal-compare",
    "no-unnecessary-template-expression",
    "no-unnecessary-type-arguments",
    "no-unnecessary-type-assertion",
    "no-unnecessary-type-constraint",
    "no-unnecessary-type-conversion",
    "no-unnecessary-type-parameters",
    "no-unsafe-argument",
    "no-unsafe-assignment",
    "no-unsafe-call",
    "no-unsafe-enum-comparison",
    "no-unsafe-function-type",
    "no-unsafe-member-access",
    "no-unsafe-return",
    "only-throw-error",
    "prefer-literal-enum-member",
    "prefer-promise-reject-errors",
    "prefer-reduce-type-parameter",
    "prefer-return-this-type",
    "related-getter-setter-pairs",
    "restrict-plus-operands",
    "unified-signatures",
    "use-unknown-in-catch-callback-variable",
  ].map((rule) => `typescript/${rule}`),
];
const above = (layers: string[]) => ({
  regex: `^(\\./|(\\.\\./)+)(${layers.join("|")})/`,
  message: `A folder of the SDK imports those before it only: ${LAYERS.join(", ")}.`,
});
/** Forbids imports by patterns. */
const forbidding = (...patterns: { group?: string[]; regex?: string; message: string }[]) => ({
  "no-restricted-imports": ["error", { patterns }] as ["error", { patterns: typeof patterns }],
});
/** Rule from the package of ESLint, since Oxlint has no such rule. */
const SYNTAX = "eslint-js/no-restricted-syntax";

export default defineConfig({
  plugins: ["typescript"],
  jsPlugins: [{ name: "eslint-js", specifier: "oxlint-plugin-eslint" }],
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  categories: { correctness: "error" },
  ignorePatterns: [
    "artifacts",
    "cache",
    "coverage",
    // Written by Ponder.
    "indexer/ponder-env.d.ts",
    "typechain-types",
    "page/dist",
    "sdk/bin",
    "page/dist-own",
    "manual/dist",
    "manual/dist-hosted",
    "sdk/dist",
    "sdk/examples",
    // Example projects, which resolve packages from their own folders.
    "examples",
    "create/index.js",
    "create/template",
    "test/scripts/packages/outside",
  ],
  rules: {
    ...Object.fromEntries(STRICT.map((rule) => [rule, "error" as const])),
    "no-restricted-properties": ["error", CAN_PARSE],
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
    "typescript/no-confusing-void-expression": "off",
    "typescript/restrict-template-expressions": ["error", { allowArray: true, allowBoolean: true, allowNumber: true }],
    "typescript/require-array-sort-compare": "off",
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    "typescript/unbound-method": "off",
  },
  overrides: [
    {
      // The SDK also runs in browsers.
      files: ["sdk/**"],
      rules: {
        "no-restricted-globals": ["error", "Buffer", "process"],
        ...forbidding(NODE),
      },
    },
    {
      // The page imports the SDK as external code does.
      files: ["page/src/**"],
      rules: {
        "no-restricted-globals": ["error", "Buffer", "process"],
        ...forbidding(NODE, TESTS, {
          regex: "^(\\.\\./)+(cli|scripts|sdk|test|typechain-types)/",
          message: "The page imports the SDK by the name of its package.",
        }),
      },
    },
    {
      // The laws are a separate entry point.
      files: ["sdk/*"],
      rules: forbidding(NODE, TESTS, above(["laws"])),
    },
    ...LAYERS.slice(0, -1).map((layer, i) => ({
      files: [`sdk/${layer}/**`],
      rules: forbidding(NODE, TESTS, above(LAYERS.slice(i + 1))),
    })),
    {
      files: ["indexer/**"],
      rules: forbidding(SCRIPTS),
    },
    ...["shared", ...COMMANDS].map((folder) => ({
      files: [`cli/${folder}/**`],
      rules: forbidding(
        {
          regex: `^(\\.\\./)+(${COMMANDS.filter((each) => each !== folder).join("|")})/`,
          message: "What commands share is in cli/shared, and needs none of them.",
        },
        SCRIPTS,
      ),
    })),
    {
      // Chai's assertions are properties, and a mock has no generated type.
      files: ["test/**"],
      rules: {
        "typescript/no-unused-expressions": "off",
        "typescript/no-unsafe-argument": "off",
        "typescript/no-unsafe-assignment": "off",
        "typescript/no-unsafe-call": "off",
        "typescript/no-unsafe-member-access": "off",
        "typescript/no-unsafe-return": "off",
        // Tests must not depend on the speed of the machine.
        "no-restricted-properties": [
          "error",
          CAN_PARSE,
          { object: "Date", property: "now", message: "Set the chain's time." },
          { object: "AbortSignal", property: "timeout", message: WAIT },
          { property: "waitForTimeout", message: WAIT },
        ],
        [SYNTAX]: [
          "error",
          ...[
            "CallExpression[callee.object.type='ThisExpression']",
            "CallExpression[callee.object.callee.name='it']",
          ].map((call) => ({
            selector: `${call}[callee.property.name='timeout']`,
            message: "All tests have one limit.",
          })),
          ...LIMITS,
        ],
      },
    },
    {
      // The laws are also tests.
      files: ["sdk/laws/**"],
      rules: { [SYNTAX]: ["error", ...LIMITS] },
    },
  ],
});
