import { defineApplication, predefinedQuery } from '@lintel/application';
import {
  boolean,
  compositionOfMany,
  compositionOfOne,
  integer,
  softDeletedEntity,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { predicatePolicy, queryPolicy, rowLevelRole } from '@lintel/security';

const OWN = '{E}.country = :current_user_country';

/** Patients, of whom row-level policies hide some, with children at several depths. */
export const clinic = defineApplication({
  id: 'c',
  name: 'Clinic',
  compositionVisibility: 'owner',
  entities: [
    softDeletedEntity('c_Patient', {
      attributes: {
        name: string(50),
        country: string(2),
        open: boolean(),
        treatments: compositionOfMany('c_Treatment', 'patient'),
        chart: compositionOfOne('c_Chart'),
        labels: compositionOfMany('c_Label', 'patient').visibility('own'),
      },
      instanceName: ['name'],
    }),
    softDeletedEntity('c_Guest', { extends: 'c_Patient', attributes: { level: integer() } }),
    softDeletedEntity('c_Treatment', {
      attributes: {
        patient: toOne('c_Patient').mandatory(),
        name: string(50),
        items: compositionOfMany('c_Item', 'treatment'),
      },
      instanceName: ['name'],
    }),
    standardEntity('c_Item', {
      attributes: { treatment: toOne('c_Treatment').mandatory(), name: string(50), price: integer() },
      instanceName: ['name'],
    }),
    standardEntity('c_Chart', { attributes: { name: string(50) }, instanceName: ['name'] }),
    standardEntity('c_Label', { attributes: { patient: toOne('c_Patient').mandatory(), name: string(50) } }),
    standardEntity('c_Remark', { attributes: { item: toOne('c_Item'), name: string(50) }, instanceName: ['name'] }),
  ],
  rowLevelRoles: [
    rowLevelRole('own', { name: 'Own', policies: [queryPolicy('c_Patient', OWN)] }),
    rowLevelRole('own-by-code', {
      name: 'Own by code',
      policies: [
        predicatePolicy('c_Patient', {
          actions: ['read'],
          dependsOn: ['country'],
          test: ({ country }, session) => country === session('current_user_country'),
        }),
      ],
    }),
    rowLevelRole('low', { name: 'Low', policies: [queryPolicy('c_Guest', '{E}.level < 3')] }),
    rowLevelRole('open', {
      name: 'Open',
      policies: [queryPolicy('c_Patient', '{E}.open = true', { actions: ['update'] })],
    }),
    rowLevelRole('cheap', { name: 'Cheap', policies: [queryPolicy('c_Item', '{E}.price < 100')] }),
  ],
  queries: [
    predefinedQuery('c_Item', 'items', {
      fetchPlan: '_local',
      text: "select i from c_Item i where i.treatment.name <> 'none' order by i.name",
    }),
    predefinedQuery('c_Treatment', 'prices', {
      text: 'select t.name as name, (select sum(i.price) from c_Item i where i.treatment = t) as price from c_Treatment t order by t.name',
    }),
  ],
});
