import type { ReportGroup } from '@lintel/application';

export const DOCUMENTS: ReportGroup = {
  id: '0b8e2f5c-5d0a-4c37-9a41-3f2f6f0f7a01',
  title: 'Documents',
  code: 'sales.documents',
};

export const ANALYTICS: ReportGroup = {
  id: '0b8e2f5c-5d0a-4c37-9a41-3f2f6f0f7a02',
  title: 'Analytics',
  code: 'sales.analytics',
};
