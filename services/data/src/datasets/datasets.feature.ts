import type { FeatureFactory } from '../feature.ts';
import { registerDatasetRoutes } from './datasets.routes.ts';
import { createDeclaredSql } from './declared-sql.ts';

/** The data sets of reports, on the internal listener. */
export const datasetsFeature: FeatureFactory = ({ ports, shares, read }) => {
  const { application, database, reportDatabase } = ports;
  return {
    register: ({ internal }) =>
      registerDatasetRoutes(internal, {
        ...read,
        model: application.model,
        reportDatabase: reportDatabase && shares.reports(reportDatabase),
        isDeclaredSql: createDeclaredSql(application.reports ?? [], database),
      }),
  };
};
