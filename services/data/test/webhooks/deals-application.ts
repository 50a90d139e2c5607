import { defineApplication, entityListener, event, type Migration } from '@lintel/application';
import { boolean, decimal, standardEntity, string } from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  specificPolicy,
  viewAttributes,
} from '@lintel/security';

const won = event<{ title: string }>('t.deal-won.v1', { type: 'object', properties: { title: { type: 'string' } } });

/** An entity for webhooks, and roles that permit more or fewer of its attributes and rows. */
export const deals = defineApplication({
  id: 't',
  name: 'Deals',
  entities: [
    standardEntity('t_Deal', {
      attributes: {
        title: string(100).mandatory(),
        amount: decimal(19, 2),
        region: string(20),
        margin: decimal(19, 2),
        won: boolean(),
      },
      instanceName: ['title'],
      accessLog: true,
    }),
  ],
  events: [won],
  listeners: [
    entityListener({
      entity: 't_Deal',
      async afterSave({ id, after }, { data }) {
        const title = String(after?.['title']);
        if (title.startsWith('Won')) await data.events.publish(won, `t_Deal/${id}`, { title });
      },
    }),
  ],
  roles: [
    resourceRole('winner', {
      name: 'May know which deals are won',
      scopes: ['API'],
      policies: [specificPolicy('rest.enabled'), specificPolicy('events.read.t.deal-won.v1')],
    }),
    resourceRole('deal-reader', {
      name: 'Sees deals but for their margin',
      scopes: ['API'],
      policies: [
        specificPolicy('rest.enabled'),
        entityPolicy('t_Deal', 'read'),
        viewAttributes('t_Deal', 'id', 'title', 'amount', 'region'),
      ],
    }),
    resourceRole('deal-editor', {
      name: 'Sees all of deals',
      scopes: ['API'],
      policies: [specificPolicy('rest.enabled'), entityPolicy('t_Deal', 'all'), modifyAttributes('t_Deal', '*')],
    }),
    resourceRole('webhook-editor', {
      name: 'Keeps webhooks',
      scopes: ['API'],
      policies: [
        specificPolicy('rest.enabled'),
        entityPolicy('sys_Webhook', 'all'),
        modifyAttributes('sys_Webhook', '*'),
      ],
    }),
    resourceRole('owner-chooser', {
      name: 'Chooses owners of webhooks',
      scopes: ['API'],
      policies: [specificPolicy('webhooks.owner.choose')],
    }),
    resourceRole('delivery-editor', {
      name: 'Keeps the log of webhooks',
      scopes: ['API'],
      policies: [entityPolicy('sys_WebhookDelivery', 'all'), modifyAttributes('sys_WebhookDelivery', '*')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('north', { name: 'The north', policies: [queryPolicy('t_Deal', "{E}.region = 'north'")] }),
  ],
});

export const DEAL_TABLE: Migration = {
  name: '1764000000000-deals',
  up: [
    'CREATE SCHEMA t',
    `CREATE TABLE t.deal (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  title varchar(100) NOT NULL,
  amount numeric(19, 2),
  region varchar(20),
  margin numeric(19, 2),
  won boolean,
  CONSTRAINT pk_deal PRIMARY KEY (id)
)`,
  ],
  down: ['DROP TABLE t.deal', 'DROP SCHEMA t'],
};
