import { displayIn, type Model } from '@lintel/metadata';
import {
  bindStatement,
  type CompiledStatement,
  compileCount,
  compileEnd,
  compileRead,
  type ExactObject,
  type ParsedQuery,
  pageOf,
  parameterTypeNamed,
  parseAggregates,
  parseEntityId,
  parseQueryRead,
  parseRead,
  parseSelect,
  planCount,
  planRead,
  type QueryLimits,
  type RawReadRequest,
  type RowPredicate,
  readExactJson,
  resolveEntity,
  resolveRead,
  type SecuredQuery,
  type StatementTemplate,
  secureRead,
  UNLIMITED,
} from '@lintel/query';
import { messages } from './messages.ts';
import { model as testModel } from './model.ts';
import { readAccessOf, type TestAccess } from './test-access.ts';

/** A request as a case writes it: members in plain JSON. */
export interface TestRequest {
  readonly operation: RawReadRequest['operation'];
  readonly entityName: string;
  readonly id?: string;
  readonly members?: Readonly<Record<string, unknown>>;
  /** Values of the order in the row after which the page begins. */
  readonly after?: readonly (string | null)[];
  /** The statement that returns where the page ends, instead of the page. */
  readonly end?: boolean;
  /** A query of the entity query language, the types of its parameters and their values. */
  readonly query?: {
    readonly text: string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly given?: Readonly<Record<string, unknown>>;
  };
  /** Locale of instance names; as values are stored without it. */
  readonly locale?: string;
  /** None without them. */
  readonly limits?: QueryLimits;
}

const MAX_FETCH_SIZE = 100;

/** All pure stages: from the request to the statement with its values. */
export function compileRequest(
  request: TestRequest,
  access: TestAccess = {},
  predicates: Readonly<Record<string, readonly RowPredicate[]>> = {},
  model: Model = testModel,
): CompiledStatement {
  const entity = resolveEntity(model, request.entityName);
  const members = readExactJson(JSON.stringify(request.members ?? {})) as ExactObject;
  const id = request.id === undefined ? [] : parseEntityId(model, entity, request.id);
  const parsed = parse(request, members, model);
  const secured = secureRead(resolveRead(parsed, model), readAccessOf(access, predicates));
  const template = compile(request, secured, parsed.returnNulls);
  const page = pageOf(parsed, MAX_FETCH_SIZE);
  return bindStatement(template, {
    model,
    id,
    inputs: parsed.inputs,
    arguments: parsed.select?.arguments ?? [],
    limit: page.limit,
    offset: page.offset,
    ...(request.after === undefined ? {} : { position: request.after }),
    sessionValue: (name) => access.session?.[name],
  });
}

function parse(request: TestRequest, members: ExactObject, model: Model): ParsedQuery {
  const { operation, query, entityName: entity } = request;
  if ('aggregates' in members)
    return parseAggregates(
      { entityName: entity, members },
      { inlineFetchPlansEnabled: true },
      request.limits ?? UNLIMITED,
    );
  if (query === undefined || operation === 'instance')
    return parseRead(rawRequest(request, members), { inlineFetchPlansEnabled: true }, request.limits ?? UNLIMITED);
  const parameters = Object.entries(query.parameters ?? {}).map(([name, typeName]) => {
    const type = parameterTypeNamed(model, typeName);
    if (type === undefined) throw new Error(`No type ${typeName}`);
    return { name, ...type };
  });
  const given = readExactJson(JSON.stringify(query.given ?? {})) as ExactObject;
  const defaults = { fetchPlan: undefined, limit: undefined, offset: undefined };
  const select = parseSelect(query.text);
  return parseQueryRead(
    { entity, key: query.text, query: select, parameters, ...defaults },
    operation,
    members,
    given,
    { inlineFetchPlansEnabled: true },
    request.limits ?? UNLIMITED,
  );
}

/** A cursor stands for the position: the service opens it between the stages. */
const rawRequest = ({ operation, entityName, id, after }: TestRequest, members: ExactObject): RawReadRequest => ({
  operation,
  entityName,
  ...(id === undefined ? {} : { id }),
  members: after === undefined ? members : { ...members, cursor: 'opened' },
});

function compile(request: TestRequest, secured: SecuredQuery, withNulls: boolean): StatementTemplate {
  if (request.operation === 'count') return compileCount(planCount(secured));
  const limited = secured.node.policy === undefined;
  const displayed = request.locale === undefined ? {} : { display: displayIn(messages, request.locale) };
  const plan = planRead(secured, { limited, ...displayed });
  if (request.after === undefined)
    return request.end === true ? compileEnd(plan) : compileRead(plan, undefined, withNulls);
  const after = { order: plan.order, values: request.after };
  const next = planRead(secured, { limited, after, ...displayed });
  return request.end === true ? compileEnd(next) : compileRead(next, undefined, withNulls);
}
