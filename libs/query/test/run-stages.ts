import {
  bindStatement,
  type CompiledStatement,
  compileCount,
  compileRead,
  type ExactObject,
  pageOf,
  parseEntityId,
  parseRead,
  planCount,
  planRead,
  type RawReadRequest,
  type RowPredicate,
  readExactJson,
  resolveEntity,
  resolveRead,
  secureRead,
} from '@lintel/query';
import { model } from './model.ts';
import { readAccessOf, type TestAccess } from './test-access.ts';

/** A request as a case writes it: members in plain JSON. */
export interface TestRequest {
  readonly operation: RawReadRequest['operation'];
  readonly entityName: string;
  readonly id?: string;
  readonly members?: Readonly<Record<string, unknown>>;
}

const MAX_FETCH_SIZE = 100;

/** All pure stages: from the request to the statement with its values. */
export function compileRequest(
  request: TestRequest,
  access: TestAccess = {},
  predicates: Readonly<Record<string, readonly RowPredicate[]>> = {},
): CompiledStatement {
  const entity = resolveEntity(model, request.entityName);
  const members = readExactJson(JSON.stringify(request.members ?? {})) as ExactObject;
  const id = request.id === undefined ? [] : parseEntityId(model, entity, request.id);
  const parsed = parseRead({ ...request, members }, { inlineFetchPlansEnabled: true });
  const secured = secureRead(resolveRead(parsed, model), readAccessOf(access, predicates));
  const template =
    request.operation === 'count'
      ? compileCount(planCount(secured))
      : compileRead(planRead(secured, { limited: secured.node.policy === undefined }));
  const page = pageOf(parsed, MAX_FETCH_SIZE);
  return bindStatement(template, {
    model,
    id,
    inputs: parsed.inputs,
    limit: page.limit,
    offset: page.offset,
    sessionValue: (name) => access.session?.[name],
  });
}
