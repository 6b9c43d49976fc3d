import { addressFor } from '@fpay/contract/languages';
import { useQuery } from '@tanstack/react-query';
import Clock from 'lucide-react/icons/clock';
import Star from 'lucide-react/icons/star';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { DateTime } from '../../ui/format/date-time.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { favouriteQueries } from '../favourites/queries.ts';

/** The driver's favourite stations and those of the latest charges, each a link to its page. */
export function KnownStations() {
  const text = useText();
  const language = useLanguage();
  const { data: stations = [] } = useQuery(favouriteQueries.known());
  if (stations.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="px-1 text-card">{text('account:stations')}</h2>
      <List label={text('account:stations')}>
        {stations.map(({ number, address, address_uk, is_favourite, charged_at }) => (
          <ListItem
            key={number}
            to={`/station/${number}`}
            icon={is_favourite ? <Star size={20} fill="currentColor" /> : <Clock size={20} />}
            {...(is_favourite && { wellClassName: 'bg-occupied-tint text-occupied' })}
            title={number}
            subtitle={
              <>
                {addressFor({ address, address_uk }, language)}
                {charged_at && (
                  <>
                    {' · '}
                    <DateTime instant={charged_at} form="date" />
                  </>
                )}
              </>
            }
          />
        ))}
      </List>
    </section>
  );
}
