import { AreaTexts } from '../../../../shell/area-frame.tsx';
import { type DraftGroup, draftOf } from './filter-draft.ts';
import { FilterGroup } from './filter-group.tsx';

interface FilterFieldsProps {
  readonly entityName: string;
  readonly draft: DraftGroup;
  /** Conditions that are not complete say so. */
  readonly isChecked: boolean;
  readonly onChange: (draft: DraftGroup) => void;
}

/** The conditions of a filter on a page of another area, which needs no texts for them. */
export const FilterFields = ({ entityName, draft, isChecked, onChange }: FilterFieldsProps) => (
  <AreaTexts area="data">
    <AreaTexts area="data/more">
      <FilterGroup
        entityName={entityName}
        group={draft}
        isChecked={isChecked}
        onChange={(next) => onChange(next ?? draftOf(undefined))}
      />
    </AreaTexts>
  </AreaTexts>
);
