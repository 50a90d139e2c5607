import { Booking } from './booking.ts';
import { Desk, DeskKey } from './desk.ts';
import { Enum } from './enum.ts';
import { EnumKind } from './enums.ts';
import { Index } from './index-entity.ts';
import { KeyPart, KeyPartKey } from './key-part.ts';
import { Measure, MeasureKey } from './measure.ts';
import { Move } from './move.ts';
import { Node } from './node.ts';
import { People } from './people.ts';
import { Person } from './person.ts';
import { Profile } from './profile.ts';
import { Special } from './special.ts';
import { StringEntity } from './string-entity.ts';
import { Tenant } from './tenant.ts';
import { Transfer } from './transfer.ts';

// Not in this model:
// - table public.measure_2026 is a partition: its rows are those of the partitioned table
// - view public.names is a materialized view: it has no key
// - index public.friends.friends_both is of a table that becomes a collection; the database has it nevertheless
// - check public.friends.friends_check CHECK ((one <> other)) is checked by the database alone
// - rule public.friends.friends_forever changes statements of the API in the database: CREATE RULE friends_forever AS ON DELETE TO public.friends DO INSTEAD NOTHING;

export const ENUMS = [EnumKind];

export const ENTITIES = [
  Index,
  Booking,
  DeskKey,
  Desk,
  Enum,
  KeyPartKey,
  KeyPart,
  MeasureKey,
  Measure,
  Move,
  Node,
  People,
  Person,
  Profile,
  Special,
  StringEntity,
  Tenant,
  Transfer,
];
