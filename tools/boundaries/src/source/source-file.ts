/** One statement or expression that names a module. */
export interface ImportStatement {
  /** 1-based. */
  readonly line: number;
  /** What stands between the quotes; `undefined` where the name is computed. */
  readonly specifier: string | undefined;
  /** Erased by the compiler: `import type`, `export type`, `import('x').T`. */
  readonly isTypeOnly: boolean;
  /** Names taken from the module; `default`, and `*` for the whole of it. Empty for a bare `import 'x'`. */
  readonly names: readonly string[];
}

/** One use of a global that reads something outside the program's values, such as `Date.now` or `process.env.HOME`. */
export interface GlobalUse {
  readonly line: number;
  /** The dotted path without `globalThis`; `()` and `new` are kept where they make the difference. */
  readonly path: string;
}

/** One expression that makes an instance of a class, or one class that extends another. */
export interface Construction {
  readonly line: number;
  readonly className: string;
  /** The declaration of the module that it is part of: a function, a class, a single variable. */
  readonly within: string | undefined;
}

/** A form of code that a rule refuses. */
export interface Sighting {
  readonly line: number;
  readonly what: string;
}

/** One comment. */
export interface Comment {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** What the rules know of one source file. */
export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  /** Folder of the nearest package.json; empty for the root package. */
  readonly packageFolder: string;
  /** Tests and what only tests import: `*.test.ts`, folders named `test`, all below `tests/`. */
  readonly isTest: boolean;
  readonly imports: readonly ImportStatement[];
  readonly globalUses: readonly GlobalUse[];
  /** Expressions whose error, if they have one, nothing would handle. */
  readonly unownedErrors: readonly Sighting[];
  /** Parameters and arguments whose meaning depends on their position alone. */
  readonly positional: readonly Sighting[];
  readonly constructions: readonly Construction[];
  /** Each name that the file declares, with the line of its first declaration. */
  readonly declaredNames: ReadonlyMap<string, number>;
  readonly comments: readonly Comment[];
}
