import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import ts from "typescript-eslint";

/** Folders of the SDK: each imports only those before it. */
const LAYERS = ["protocol", "chain", "bots", "games", "player", "verify", "laws"];
const COMMANDS = ["agent", "mint", "play", "relay", "simulate", "verify"];

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
/** Names by which functions here and elsewhere take the milliseconds of a limit. */
const LIMIT = "/^(timeout|timeLimit|navigationTimeout|actionTimeout|testTimeout|hookTimeout)$/";
/** Written numbers and constants but PATIENCE; functions and computed values are the matter of a test. */
const TIME =
  ":matches(Literal[value!=0], BinaryExpression, Identifier[name=/^[A-Z][A-Z_0-9]*$/]:not([name='PATIENCE']))";
/** Limits of time as tests write them. */
const LIMITS = [
  // Beside a clock of the test's own it is no time of the machine.
  `ObjectExpression:not(:has(> Property[key.name='clock'])) > Property[key.name=${LIMIT}] > ${TIME}.value`,
  `AssignmentExpression[left.property.name=${LIMIT}] > ${TIME}.right`,
  "CallExpression[callee.property.name=/^setDefault(Navigation)?Timeout$/]:not([arguments.0.name='PATIENCE'])",
  // A race with a timer, or a timer that ends, throws or rejects.
  "CallExpression[callee.object.name='Promise'][callee.property.name='race'] CallExpression[callee.name='setTimeout']",
  "CallExpression[callee.name='setTimeout'] > Identifier.arguments:first-child[name=/reject|fail|abort/]",
  "CallExpression[callee.name='setTimeout'] > .arguments:first-child CallExpression[callee.name=/reject|fail/]",
  "CallExpression[callee.name='setTimeout'] > .arguments:first-child ThrowStatement",
  // A number of looks with a pause between them.
  "ForStatement[test.operator=/^<=?$/]:has(CallExpression[callee.name=/^(pause|setTimeout|wait|sleep)$/])",
  "ForStatement[test.type='LogicalExpression']:has(CallExpression[callee.name=/^(pause|setTimeout|wait|sleep)$/])",
  // Time that has passed may be too short, never too long.
  "BinaryExpression[operator=/^[<>]=?$/]:has(CallExpression[callee.object.name='performance'][callee.property.name='now'])",
  "CallExpression[callee.property.name=/^(lessThan|below|lt|lte|most|within|closeTo)$/]:has(CallExpression[callee.object.name='performance'])",
].map((selector) => ({ selector, message: WAIT }));
const above = (layers) => ({
  regex: `^(\\./|(\\.\\./)+)(${layers.join("|")})/`,
  message: `A folder of the SDK imports those before it only: ${LAYERS.join(", ")}.`,
});

export default defineConfig(
  globalIgnores([
    "artifacts",
    "cache",
    "coverage",
    // Written by Ponder.
    "indexer/ponder-env.d.ts",
    "typechain-types",
    "page/dist",
    "sdk/dist",
    // Projects and programs of others, which find the packages where they are installed.
    "examples",
    "test/scripts/packages/outside",
  ]),
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-restricted-properties": ["error", CAN_PARSE],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unnecessary-condition": "off",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowArray: true, allowBoolean: true, allowNumber: true },
      ],
    },
  },
  {
    // The SDK runs in browsers too.
    files: ["sdk/**"],
    rules: {
      "no-restricted-globals": ["error", "Buffer", "process"],
      "no-restricted-imports": ["error", { patterns: [NODE] }],
    },
  },
  {
    // The page imports the SDK as outsiders do.
    files: ["page/src/**"],
    rules: {
      "no-restricted-globals": ["error", "Buffer", "process"],
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            NODE,
            TESTS,
            {
              regex: "^(\\.\\./)+(cli|scripts|sdk|test|typechain-types)/",
              message: "The page imports the SDK by the name of its package.",
            },
          ],
        },
      ],
    },
  },
  {
    // The laws are an entry of their own.
    files: ["sdk/*"],
    rules: { "no-restricted-imports": ["error", { patterns: [NODE, TESTS, above(["laws"])] }] },
  },
  ...LAYERS.slice(0, -1).map((layer, i) => ({
    files: [`sdk/${layer}/**`],
    rules: { "no-restricted-imports": ["error", { patterns: [NODE, TESTS, above(LAYERS.slice(i + 1))] }] },
  })),
  {
    files: ["indexer/**"],
    rules: { "no-restricted-imports": ["error", { patterns: [SCRIPTS] }] },
  },
  ...["shared", ...COMMANDS].map((folder) => ({
    files: [`cli/${folder}/**`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^\\.\\./(${COMMANDS.filter((each) => each !== folder).join("|")})/`,
              message: "What commands share is in cli/shared, and needs none of them.",
            },
            SCRIPTS,
          ],
        },
      ],
    },
  })),
  {
    // Chai asserts by properties, and a mock has no generated type.
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-unused-expressions": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      // No test depends on how fast the machine is.
      "no-restricted-properties": [
        "error",
        CAN_PARSE,
        { object: "Date", property: "now", message: "Set the chain's time." },
        { object: "AbortSignal", property: "timeout", message: WAIT },
        { property: "waitForTimeout", message: WAIT },
      ],
      "no-restricted-syntax": [
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
    // The laws are tests too.
    files: ["sdk/laws/**"],
    rules: { "no-restricted-syntax": ["error", ...LIMITS] },
  },
  { files: ["**/*.js"], extends: [ts.configs.disableTypeChecked] },
);
