import { z } from 'zod';
import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { schemasOf } from './schemas-of.ts';
import { textUpTo } from './texts.ts';

const UUID: Schema = { type: 'string', format: 'uuid' };
const MOMENT: Schema = { type: 'string', format: 'date-time' };
const NULLABLE: Schema = { type: ['string', 'null'] };
const COMMENT: Schema = { type: ['string', 'null'], maxLength: 1_000 };
const NUMBER: Schema = { type: 'integer', minimum: 1 };

const INFO = {
  number: { ...NUMBER, description: 'Larger than those of all earlier versions' },
  createdAt: MOMENT,
  username: { ...NULLABLE, description: 'Who saved it, if the database knows' },
  comment: COMMENT,
};

const comment = textUpTo(1_000).nullable();
export const versionCommentBody = z.strictObject({ comment });
export const versionRestorationBody = z.strictObject({ comment: comment.default(null) });

/** The schemas of versions of reports (contract/reports.md#versions). */
export const reportVersionSchemas = (): Readonly<Record<string, Schema>> => ({
  ReportVersionInfo: objectOf(INFO),
  ReportVersion: objectOf(
    {
      ...INFO,
      name: STRING,
      code: NULLABLE,
      localeNames: NULLABLE,
      description: NULLABLE,
      group: { ...UUID, type: ['string', 'null'], description: 'Id of the group' },
      restAccess: BOOLEAN,
      definition: STRING,
      templates: listOf(ref('ReportVersionTemplate')),
    },
    Object.keys(INFO),
  ),
  ReportVersionTemplate: objectOf(
    {
      code: STRING,
      reportOutputType: STRING,
      isDefault: BOOLEAN,
      name: { type: 'string', description: 'File name' },
      content: { type: 'string', description: 'File reference' },
      outputNamePattern: NULLABLE,
    },
    [],
  ),
  ReportVersionDifference: objectOf(
    {
      from: NUMBER,
      to: NUMBER,
      attributes: listOf(ref('ReportAttributeDifference')),
      templates: listOf(
        objectOf({
          code: STRING,
          change: { type: 'string', enum: ['added', 'removed', 'changed'] },
          attributes: listOf(ref('ReportAttributeDifference')),
        }),
      ),
    },
    ['from', 'to', 'attributes'],
  ),
  ReportAttributeDifference: objectOf({
    attribute: STRING,
    from: { oneOf: [NULLABLE, BOOLEAN] },
    to: { oneOf: [NULLABLE, BOOLEAN] },
  }),
  ...schemasOf({ ReportVersionComment: versionCommentBody, ReportVersionRestoration: versionRestorationBody }),
});
