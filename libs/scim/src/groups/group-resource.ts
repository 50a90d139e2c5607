import { SCHEMA_URIS } from '../protocol/schema-uris.ts';
import { present } from '../users/user-resource.ts';
import type { StoredGroup } from './group-store.ts';

/** A group as JSON of SCIM (RFC 7643 §4.2). */
export function groupResource(group: StoredGroup, baseUrl: string): Readonly<Record<string, unknown>> {
  return present({
    schemas: [SCHEMA_URIS.group],
    id: group.id,
    externalId: group.externalId,
    displayName: group.displayName,
    members:
      group.members?.map(({ id: value, name }) => ({
        value,
        display: name,
        $ref: `${baseUrl}/Users/${value}`,
        type: 'User',
      })) ?? null,
    meta: {
      resourceType: 'Group',
      created: group.created,
      lastModified: group.lastModified,
      location: `${baseUrl}/Groups/${group.id}`,
      version: `W/"${group.version}"`,
    },
  });
}
