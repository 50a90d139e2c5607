import { isExcepted } from '../../exceptions.ts';
import type { Rule } from '../../rule.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { groupOf } from '../../workspace/build-workspace.ts';
import { importsOf, type ResolvedImport } from '../../workspace/import-target.ts';

/** The HTTP objects of Node, which Express's are made of. */
const HTTP_OBJECTS = new Set(['IncomingMessage', 'ServerResponse', 'Http2ServerRequest', 'Http2ServerResponse', '*']);

/** A file that takes no more than these from Express makes middleware. */
const MIDDLEWARE = new Set(['RequestHandler', 'ErrorRequestHandler', 'NextFunction']);

/**
 * `app.ts`, what it is made of (`assemble-app.ts`, `x.feature.ts`), `x.routes.ts`, and the two ends of a route:
 * `receive-x.ts` converts in, `respond.ts` and `send-x.ts` out.
 */
const EDGE_NAME =
  /(^|\/)(app|assemble-app|feature|[\w-]+\.(routes|feature)|receive-[\w-]+|respond|respond-[\w-]+|send-[\w-]+)\.ts$/;

const COMPOSITION_ROOT = /\/src\/(index|main)\.ts$/;

/**
 * Only the edge of a service knows Express's and Node's request and response, and
 * only the edge imports the edge; so no operation can name either, directly or through a type of another file.
 */
export const operationsWithoutExpress: Rule = {
  id: 'operations-without-express',
  statement:
    'In services only the edge (app.ts, *.feature.ts, *.routes.ts, receive-*, respond*, send-* and middleware) knows request and response, and only the edge imports the edge',
  because: 'an operation never sees req or res: the edge converts in and out',
  *check(workspace) {
    const imports = importsOf(workspace).filter(({ file }) => !file.isTest && groupOf(file.path) === 'services');
    const edge = new Set(edgeFiles(workspace.files, imports));
    for (const one of imports) {
      const { file, statement, target } = one;
      // Exceptions are reported like the rest, so that one which is needed no longer shows.
      const isNamed = isNamedException(file);
      if (COMPOSITION_ROOT.test(file.path) || (edge.has(file.path) && !isNamed)) continue;
      if (namesHttpObjects(one)) {
        const names = statement.names.join(', ');
        yield { file: file.path, line: statement.line, what: `imports ${names} of ${statement.specifier}` };
      } else if (target.kind === 'file' && edge.has(target.path)) {
        yield { file: file.path, line: statement.line, what: `imports ${target.path}, which is a file of the edge` };
      }
    }
  },
};

function* edgeFiles(files: readonly SourceFile[], imports: readonly ResolvedImport[]): Iterable<string> {
  const beyondMiddleware = new Set(imports.filter(isBeyondMiddleware).map(({ file }) => file.path));
  const express = new Set(imports.filter(isExpress).map(({ file }) => file.path));
  for (const file of files) {
    const isMiddleware = express.has(file.path) && !beyondMiddleware.has(file.path);
    if (isMiddleware || EDGE_NAME.test(file.path) || isNamedException(file)) yield file.path;
  }
}

const isNamedException = (file: SourceFile): boolean => isExcepted('operations-without-express', file.path);

const isExpress = ({ target }: ResolvedImport): boolean => target.kind === 'package' && target.name === 'express';

const namesHttpObjects = (one: ResolvedImport): boolean =>
  isExpress(one) ||
  (one.target.kind === 'builtin' &&
    ['http', 'http2'].includes(one.target.name) &&
    one.statement.names.some((name) => HTTP_OBJECTS.has(name)));

const isBeyondMiddleware = (one: ResolvedImport): boolean =>
  namesHttpObjects(one) && !one.statement.names.every((name) => MIDDLEWARE.has(name));
