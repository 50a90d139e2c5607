import {
  boolean,
  compositionOfMany,
  dateTime,
  enumeration,
  enumOf,
  fileRef,
  keyedEntity,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toOne,
  uuid,
} from '@lintel/metadata';

/** Output types of stored templates; XLS, DOC and Jasper are not built (contract/reports.md#definitions). */
const OutputType = enumeration('report.ReportOutputType', {
  PDF: 20,
  HTML: 30,
  DOCX: 40,
  XLSX: 50,
  CUSTOM: 60,
  CHART: 70,
  CSV: 80,
  TABLE: 90,
  PIVOT_TABLE: 100,
});

/** As `notBlank()`, but for null, which is allowed. */
const NOT_BLANK = /[\s\S]*\S[\s\S]*/;

/** A group that reports are sorted into. */
const ReportGroup = standardEntity('report_ReportGroup', {
  attributes: {
    title: string(255).mandatory().notBlank().unique(),
    /** Of a group of the platform. */
    code: string(255).unique(),
    /** Lines `<locale>=<title>`. */
    localeNames: text(),
  },
  instanceName: ['title'],
});

/** A report that administrators store in the database, in addition to those of the application. */
const Report = softDeletedEntity('report_Report', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    /** Without it the report is run by its id only. */
    code: string(255).pattern(NOT_BLANK, '{jakarta.validation.constraints.NotBlank.message}'),
    /** Lines `<locale>=<name>`. */
    localeNames: text(),
    description: string(500),
    group: toOne('report_ReportGroup'),
    /** Whether the API serves it. */
    restAccess: boolean().mandatory().default(false),
    /** JSON: parameters, bands with their data sets, value formats, roles. docs/guide/reports.md describes it. */
    definition: text().mandatory(),
    templates: compositionOfMany('report_ReportTemplate', 'report'),
  },
  instanceName: ['name'],
  indexes: [
    { attributes: ['code'], unique: true },
    { attributes: ['name'], unique: true },
  ],
});

/** A template of a stored report; its content is a file. */
const ReportTemplate = softDeletedEntity('report_ReportTemplate', {
  attributes: {
    report: toOne('report_Report').mandatory(),
    code: string(255).mandatory().notBlank(),
    reportOutputType: enumOf(OutputType).mandatory(),
    isDefault: boolean().mandatory().default(false),
    /** File name; its extension selects the formatter. */
    name: string(255).mandatory().notBlank(),
    content: fileRef().mandatory(),
    /** File name of the output; `${Band.field}` is substituted. */
    outputNamePattern: string(255),
  },
  instanceName: ['code'],
  indexes: [{ attributes: ['report', 'code'], unique: true }],
});

/**
 * The history of runs: report, user and result (contract/reports.md#history). The reports service writes it if it is
 * enabled.
 */
const ReportExecution = keyedEntity('report_ReportExecution', {
  key: 'id',
  generation: 'uuid',
  attributes: {
    id: uuid(),
    /** Of a report in the database. */
    report: toOne('report_Report'),
    reportName: string(255).mandatory(),
    reportCode: string(255),
    username: string(255).mandatory(),
    startTime: dateTime().mandatory(),
    finishTime: dateTime(),
    success: boolean(),
    cancelled: boolean(),
    /** Lines `key: <alias>, value: <value>`. */
    params: text(),
    errorMessage: text(),
    outputDocument: fileRef(),
  },
  instanceName: ['{reportName}', ' ', '{startTime}'],
  indexes: [{ attributes: ['startTime'], unique: false }],
});

/** Entities of reports; a change of one of the first three is a change of what can be run. */
export const REPORT_DEFINITION_ENTITIES = [ReportGroup, Report, ReportTemplate] as const;
/** The entities of reports in the database. */
export const REPORT_ENTITIES = [...REPORT_DEFINITION_ENTITIES, ReportExecution] as const;
/** The enums of their attributes. */
export const REPORT_ENUMS = [OutputType] as const;
