import { z } from 'zod';
import { reportDraftRunSchema, reportDraftSchema } from '../../report-draft.ts';
import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { reportVersionSchemas } from './report-version-schemas.ts';
import { schemasOf } from './schemas-of.ts';

const UUID: Schema = { type: 'string', format: 'uuid' };
const MOMENT: Schema = { type: 'string', format: 'date-time' };
const OUTPUT_TYPES = [
  'XLS',
  'DOC',
  'PDF',
  'HTML',
  'DOCX',
  'XLSX',
  'TXT',
  'CUSTOM',
  'CHART',
  'CSV',
  'TABLE',
  'PIVOT_TABLE',
];
const PARAMETER_TYPES = [
  ...['DATE', 'TEXT', 'ENTITY', 'BOOLEAN', 'NUMERIC', 'ENTITY_LIST', 'ENUMERATION', 'DATETIME', 'TIME'],
];

const SUMMARY = { id: UUID, name: STRING, code: STRING, group: UUID };
const DETAILS = { templates: listOf(ref('ReportTemplate')), inputParameters: listOf(ref('ReportParameter')) };

const checkedTemplate = z.strictObject({
  code: z.string().min(1).optional().describe('`DEFAULT` when absent'),
  name: z.string().min(1).describe('File name; its extension selects the formatter'),
  content: z.string().min(1).describe('Reference to the file'),
  outputType: z.enum(['PDF', 'HTML', 'DOCX', 'XLSX', 'CSV', 'TXT', 'CUSTOM']).optional(),
});
export const definitionCheckBody = z.strictObject({
  definition: z.string().max(200_000).describe('The text of the attribute `definition`'),
  templates: z.array(checkedTemplate).max(20).optional(),
});

const uniqueName = z
  .string()
  .max(255)
  .regex(/\S/)
  .meta({ minLength: 1, description: 'Unique', examples: ['Orders of a month'] });
export const reportCopyBody = z.strictObject({ name: uniqueName, code: uniqueName.nullish() });

/** The schemas of reports (contract/reports.md#report-info). */
export const reportSchemas = (): Readonly<Record<string, Schema>> => ({
  Report: {
    description: 'Reports that are defined in code have templates and parameters in lists, too',
    ...objectOf({ ...SUMMARY, ...DETAILS }, ['id', 'name']),
  },
  ReportDetail: objectOf({ ...SUMMARY, ...DETAILS }, ['id', 'name', 'templates', 'inputParameters']),
  ReportTemplate: objectOf({ code: STRING, outputType: { type: 'string', enum: OUTPUT_TYPES }, default: BOOLEAN }),
  ReportParameter: objectOf(
    {
      name: { type: 'string', description: 'Caption' },
      alias: { type: 'string', description: 'The name by which a run takes it' },
      type: { type: 'string', enum: PARAMETER_TYPES },
      required: BOOLEAN,
      hidden: BOOLEAN,
      entityMetaClass: { type: 'string', description: 'Of `ENTITY` and `ENTITY_LIST`' },
      enumerationClass: { type: 'string', description: 'Of `ENUMERATION`' },
      defaultValue: { type: 'string', description: 'As of this request, where it is computed' },
      defaultExpression: {
        type: 'string',
        description: '`today-7`, `startOfMonth`, `currentUser`; in the time zone of the caller',
      },
      lookupFilter: {
        type: 'object',
        additionalProperties: true,
        description: 'A filter of the instances that forms offer',
      },
    },
    ['alias', 'required', 'hidden'],
  ),
  ReportGroup: objectOf({ id: UUID, title: STRING, code: STRING }, ['id', 'title']),
  BackgroundReportRun: objectOf(
    {
      id: UUID,
      report: objectOf({ id: UUID, code: STRING, name: STRING }, ['id', 'name']),
      template: { type: 'string', description: 'Code of the template' },
      status: { type: 'string', enum: ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] },
      progress: objectOf(
        {
          phase: { type: 'string', enum: ['PARAMETERS', 'DATA', 'DOCUMENT'] },
          rows: { type: 'integer', minimum: 0, description: 'Rows of data sets that were read' },
        },
        ['rows'],
      ),
      createdAt: MOMENT,
      startedAt: MOMENT,
      finishedAt: MOMENT,
      error: {
        description: 'Of a run that failed: the response that a waiting client would have received',
        ...objectOf({ status: { type: 'integer' }, error: STRING, details: STRING }),
      },
      result: {
        description: 'Of a run that succeeded: its document',
        ...objectOf({
          fileRef: STRING,
          name: STRING,
          contentType: STRING,
          size: { type: 'integer', minimum: 0, description: 'Bytes' },
        }),
      },
    },
    ['id', 'report', 'template', 'status', 'progress', 'createdAt'],
  ),
  ReportRunParameter: objectOf(
    {
      name: { type: 'string', description: 'Alias of the parameter' },
      value: {
        description:
          'Any JSON that the type of the parameter takes: dates as ISO texts, instances by id, an array of ids for `ENTITY_LIST`. Null is the same as absent',
      },
      values: {
        type: ['array', 'null'],
        items: {},
        description: 'Ids of `ENTITY_LIST`; the same as an array in `value`',
      },
    },
    ['name'],
  ),
  ReportRun: objectOf(
    {
      template: { type: ['string', 'null'], description: 'Code of the template; the default one when absent' },
      outputType: {
        type: ['string', 'null'],
        description: 'Another output that the file of the template can have: `PDF` of a `.docx` or `.xlsx`',
      },
      attachment: { type: ['boolean', 'null'], description: 'Whether a browser shall save the document' },
      bom: { type: ['boolean', 'null'], description: 'Whether CSV begins with a byte order mark' },
      parameters: { type: ['array', 'null'], items: ref('ReportRunParameter') },
    },
    [],
  ),
  ReportData: objectOf({
    bands: listOf(
      objectOf({
        name: STRING,
        parent: { type: ['string', 'null'], description: 'Name of the band that it is part of; null for the root' },
        rows: listOf({
          type: 'object',
          additionalProperties: true,
          description: 'Values by field: long texts are cut, instances are their names',
        }),
        truncated: { type: 'boolean', description: 'Whether the band has more rows' },
      }),
    ),
  }),
  ...schemasOf({
    ReportDefinitionCheck: definitionCheckBody,
    CheckedTemplate: checkedTemplate,
    ReportCopy: reportCopyBody,
    ReportDraft: reportDraftSchema,
    ReportDraftRun: reportDraftRunSchema,
  }),
  ReportDefinitionProblems: objectOf({ problems: listOf(ref('ReportProblem')) }),
  ReportProblem: objectOf(
    {
      severity: { type: 'string', enum: ['error', 'warning'] },
      message: STRING,
      template: { type: 'string', description: 'Code of the template' },
      location: { type: 'string', description: 'A cell `Sheet!B2`, a paragraph, or a line' },
    },
    ['severity', 'message'],
  ),
  CopiedReport: objectOf({ id: UUID, name: STRING, code: { type: ['string', 'null'] } }),
  DraftedReport: objectOf({
    definition: { type: 'string', description: 'The attribute `definition` of `report_Report`' },
    templates: listOf(
      objectOf({
        code: STRING,
        name: STRING,
        outputType: STRING,
        content: { type: 'string', description: 'The file, in base64' },
      }),
    ),
  }),
  ...reportVersionSchemas(),
});
