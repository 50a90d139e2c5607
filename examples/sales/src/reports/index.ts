import type { ReportDefinition, ReportGroup } from '@lintel/application';

export const REPORT_GROUPS: readonly ReportGroup[] = [
  { id: '0b8e2f5c-5d0a-4c37-9a41-3f2f6f0f7a01', title: 'Documents', code: 'sales.documents' },
  { id: '0b8e2f5c-5d0a-4c37-9a41-3f2f6f0f7a02', title: 'Analytics', code: 'sales.analytics' },
];

export const REPORTS: readonly ReportDefinition[] = [];
