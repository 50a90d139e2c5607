import { defineApplication } from '@lintel/application';
import {
  compositionOfMany,
  integer,
  localDate,
  manyToMany,
  standardEntity,
  string,
  text,
  toMany,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, viewAttributes } from '@lintel/security';
import { MIGRATIONS } from './migrations/index.ts';

/** The blog of the example applications of react-admin (posts, comments, tags, users) and Refine (posts, categories). */
const User = standardEntity('blog_User', {
  attributes: { name: string(100).mandatory().unique(), role: string(20) },
  instanceName: ['name'],
});
const Category = standardEntity('blog_Category', {
  attributes: { title: string(100).mandatory().unique() },
  instanceName: ['title'],
});
const Tag = standardEntity('blog_Tag', {
  attributes: { name: string(50).mandatory().unique() },
  instanceName: ['name'],
});
const Post = standardEntity('blog_Post', {
  attributes: {
    title: string(100).mandatory(),
    teaser: text(),
    body: text(),
    views: integer().min(0),
    publishedAt: localDate(),
    author: toOne('blog_User'),
    category: toOne('blog_Category'),
    tags: manyToMany('blog_Tag'),
    backlinks: compositionOfMany('blog_Backlink', 'post'),
    comments: toMany('blog_Comment', 'post'),
  },
  instanceName: ['title'],
});
const Backlink = standardEntity('blog_Backlink', {
  attributes: { post: toOne('blog_Post').mandatory(), url: string(200).mandatory() },
  instanceName: ['url'],
});
const Comment = standardEntity('blog_Comment', {
  attributes: { post: toOne('blog_Post').mandatory(), author: string(100).mandatory(), body: text() },
  instanceName: ['author'],
});

const ENTITIES = [User, Category, Tag, Post, Backlink, Comment];
const NAMES = ['blog_User', 'blog_Category', 'blog_Tag', 'blog_Post', 'blog_Backlink', 'blog_Comment'];

/** Reads posts, and changes nothing. */
const READER = resourceRole('blog-reader', {
  name: 'Reader',
  childRoles: ['rest-minimal'],
  policies: NAMES.flatMap((name) => [entityPolicy(name, 'read'), viewAttributes(name, '*')]),
});
const EDITOR = resourceRole('blog-editor', {
  name: 'Editor',
  childRoles: ['rest-minimal'],
  policies: NAMES.flatMap((name) => [entityPolicy(name, 'all'), modifyAttributes(name, '*')]),
});

const id = (kind: string, number: number): string =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const user = (username: string, roleCode: string) => [
  { entity: 'sec_User', values: { username, password: username, active: true } },
  { entity: 'sec_RoleAssignment', values: { username, roleCode, roleType: 'resource' } },
];

export default defineApplication({
  id: 'blog',
  name: 'Blog',
  entities: ENTITIES,
  roles: [READER, EDITOR],
  migrations: MIGRATIONS,
  demoData: {
    instances: [
      ...user('editor', 'blog-editor'),
      ...user('reader', 'blog-reader'),
      { entity: 'blog_User', values: { id: id('a', 1), name: 'Logan Schowalter', role: 'admin' } },
      { entity: 'blog_User', values: { id: id('a', 2), name: 'Breanna Gibson', role: 'user' } },
      ...['news', 'technology', 'lifestyle'].map((name, index) => ({
        entity: 'blog_Tag',
        values: { id: id('b', index + 1), name },
      })),
      ...['Ergonomics', 'Gardens'].map((title, index) => ({
        entity: 'blog_Category',
        values: { id: id('c', index + 1), title },
      })),
      ...Array.from({ length: 13 }, (_, index) => ({
        entity: 'blog_Post',
        values: {
          id: id('d', index + 1),
          title: `Post ${String(index + 1).padStart(2, '0')}`,
          teaser: index === 0 ? 'The lantern of the harbour' : 'Nothing of note',
          views: (index + 1) * 10,
          publishedAt: `2026-01-${String(index + 1).padStart(2, '0')}`,
          author: { id: id('a', (index % 2) + 1) },
          category: { id: id('c', (index % 2) + 1) },
          tags: [{ id: id('b', (index % 3) + 1) }],
          ...(index === 0 && { backlinks: [{ url: 'https://one.example' }] }),
        },
      })),
      ...[1, 2, 3].map((number) => ({
        entity: 'blog_Comment',
        values: { id: id('e', number), post: { id: id('d', 1) }, author: `Reader ${number}`, body: 'Nice' },
      })),
    ],
  },
  properties: {
    'svc.authserver.client.admin.client-id': 'admin',
    'svc.authserver.client.admin.client-secret': 'secret',
    'svc.authserver.client.admin.grant-types': 'password',
  },
});
