const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const SCHEMAS = 'urn:ietf:params:scim:schemas';

/** Identifiers of the messages and schemas of RFC 7643 and RFC 7644. */
export const SCHEMA_URIS = {
  user: `${SCHEMAS}:core:2.0:User`,
  group: `${SCHEMAS}:core:2.0:Group`,
  enterpriseUser: `${SCHEMAS}:extension:enterprise:2.0:User`,
  schema: `${SCHEMAS}:core:2.0:Schema`,
  resourceType: `${SCHEMAS}:core:2.0:ResourceType`,
  serviceProvider: `${SCHEMAS}:core:2.0:ServiceProviderConfig`,
  list: `${MESSAGES}:ListResponse`,
  patch: `${MESSAGES}:PatchOp`,
  error: `${MESSAGES}:Error`,
} as const;

/** Attributes of these schemas may be named without the schema. */
const CORE = [SCHEMA_URIS.user, SCHEMA_URIS.group].map((uri) => `${uri.toLowerCase()}:`);

/** The name of an attribute in small letters, without its schema if this is a core schema. */
export function attributeName(name: string): string {
  const lower = name.toLowerCase();
  const prefix = CORE.find((each) => lower.startsWith(each));
  return prefix === undefined ? lower : lower.slice(prefix.length);
}
