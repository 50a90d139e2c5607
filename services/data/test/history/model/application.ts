import { defineApplication } from '@lintel/application';
import {
  compositionOfMany,
  compositionOfOne,
  elements,
  integer,
  manyToMany,
  softDeletedEntity,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { queryPolicy, rowLevelRole } from '@lintel/security';

/** A caller with the role `light` sees the documents and assets of at most this weight. */
export const LIGHT = 50;

const standard = { number: string(30).mandatory().unique(), weight: integer() };

/** Documents have children, links and a bin; assets extend each other, and are removed for good. */
export const recordedApplication = defineApplication({
  id: 'm',
  name: 'Model of histories',
  entities: [
    standardEntity('m_Label', { attributes: { name: string(20).mandatory() }, instanceName: ['name'] }),
    softDeletedEntity('m_Document', {
      attributes: {
        ...standard,
        keeper: toOne('m_Asset'),
        tags: elements(10),
        labels: manyToMany('m_Label'),
        cover: compositionOfOne('m_Cover'),
        lines: compositionOfMany('m_Line', 'document'),
      },
      instanceName: ['number'],
      history: true,
    }),
    softDeletedEntity('m_Invoice', { extends: 'm_Document', attributes: { amount: integer() } }),
    standardEntity('m_Cover', { attributes: { title: string(20) } }),
    softDeletedEntity('m_Line', {
      attributes: {
        document: toOne('m_Document').mandatory(),
        quantity: integer().mandatory(),
        notes: compositionOfMany('m_Note', 'line'),
      },
    }),
    standardEntity('m_Note', { attributes: { line: toOne('m_Line').mandatory(), text: string(20) } }),
    standardEntity('m_Asset', { attributes: standard, instanceName: ['number'], history: true }),
    standardEntity('m_Vehicle', {
      extends: 'm_Asset',
      attributes: { plate: string(10), wheels: compositionOfMany('m_Wheel', 'vehicle') },
    }),
    standardEntity('m_Wheel', { attributes: { vehicle: toOne('m_Vehicle').mandatory(), size: integer() } }),
  ],
  rowLevelRoles: [
    rowLevelRole('light', {
      name: 'Light documents and assets',
      policies: [queryPolicy('m_Document', `{E}.weight <= ${LIGHT}`), queryPolicy('m_Asset', `{E}.weight <= ${LIGHT}`)],
    }),
  ],
});
