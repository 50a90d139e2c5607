import type { Model } from '@lintel/metadata';
import { planSelect } from './language/plan-select.ts';
import { planCondition } from './plan-condition.ts';
import { AliasSource, type StatementContext } from './statement-context.ts';
import { planRowCondition } from './trusted.ts';

/** The context of a new statement. */
export const createStatementContext = (model: Model, showsDeletedChildren = false): StatementContext =>
  Object.freeze({
    model,
    aliases: new AliasSource(),
    showsDeletedChildren,
    planCondition,
    planSelect,
    planRowCondition,
  });
