import type { ComponentType } from 'react';
import { AreaTexts } from '../../../shell/area-frame.tsx';

/** A page with the texts that lists do not need: they are loaded with the first such page. */
export const withMoreTexts = (Page: ComponentType) =>
  function PageWithTexts() {
    return (
      <AreaTexts area="data/more">
        <Page />
      </AreaTexts>
    );
  };
