import type { AttributeInfo, EntityInfo } from '@lintel/client';
import type { Resource } from '../src/records/record-model.ts';

const attribute = (name: string, parts: Partial<AttributeInfo> = {}): AttributeInfo => ({
  name,
  attributeType: 'DATATYPE',
  type: 'string',
  cardinality: 'NONE',
  mandatory: false,
  readOnly: false,
  description: name,
  persistent: true,
  transient: false,
  ...parts,
});

/** A post of a blog with tags, an author and links. */
export const POST: EntityInfo = {
  entityName: 'blog_Post',
  ancestor: null,
  properties: [
    attribute('id', { type: 'uuid' }),
    attribute('version', { type: 'int' }),
    attribute('title'),
    attribute('views', { type: 'int' }),
    attribute('views_gt', { type: 'int' }),
    attribute('slug', { readOnly: true }),
    attribute('author', { attributeType: 'ASSOCIATION', type: 'blog_User', cardinality: 'MANY_TO_ONE' }),
    attribute('tags', { attributeType: 'ASSOCIATION', type: 'blog_Tag', cardinality: 'MANY_TO_MANY' }),
    attribute('links', { attributeType: 'COMPOSITION', type: 'blog_Link', cardinality: 'ONE_TO_MANY' }),
  ],
};

export const LINK: EntityInfo = {
  entityName: 'blog_Link',
  ancestor: null,
  properties: [attribute('id', { type: 'uuid' }), attribute('version', { type: 'int' }), attribute('url')],
};

export const POSTS: Resource = {
  name: 'posts',
  entity: POST,
  fetchPlan: {},
  listPlan: {},
  searched: ['title', 'slug'],
};

export const MODEL = { entityInfo: (name: string) => [POST, LINK].find(({ entityName }) => entityName === name) };
