import type { Express } from 'express';

/** The internals of the Express router that this file reads (express 5, package `router`); covered by tests. */
interface RouterLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: { readonly stack?: readonly RouterLayer[] };
  /** The part of the path that the layer matches; `path` is the prefix that it consumes. */
  match(path: string): { readonly path: string } | false;
}

/**
 * Methods that some route of the application serves at a path, for `Allow`; empty for unknown paths.
 * Called only when no route responded, so it costs served requests nothing.
 */
export function allowedMethods(app: Express, path: string): ReadonlySet<string> {
  const methods = new Set<string>();
  const stack = (app as unknown as { router: { stack: readonly RouterLayer[] } }).router.stack;
  collect(stack, path, methods);
  return methods;
}

function collect(stack: readonly RouterLayer[], path: string, methods: Set<string>): void {
  for (const layer of stack) {
    const match = matchOf(layer, path);
    if (match === false) continue;
    if (layer.route !== undefined) {
      for (const method of Object.keys(layer.route.methods)) if (method !== '_all') methods.add(method.toUpperCase());
    } else if (layer.handle?.stack !== undefined) {
      const rest = path.slice(match.path.replace(/\/$/, '').length);
      collect(layer.handle.stack, rest === '' ? '/' : rest, methods);
    }
  }
}

function matchOf(layer: RouterLayer, path: string): { readonly path: string } | false {
  try {
    return layer.match(path);
  } catch (error) {
    // A parameter that cannot be decoded: no route serves it.
    if (error instanceof Error && 'status' in error && error.status === 400) return false;
    throw error;
  }
}
