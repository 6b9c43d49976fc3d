-- The queue of a site that has no power left: one place per driver and site, and how long an open page keeps a place that no message can reach.

alter table free_alerts
  -- Only for drivers whom no channel reaches: the page that follows the queue keeps their place until then.
  add column page_until timestamptz,
  drop constraint free_alerts_end_reason_check,
  -- closed: the site has no queue any more. unseen: the page that kept the place was closed.
  add constraint free_alerts_end_reason_check
    check (end_reason in ('withdrawn', 'expired', 'charging', 'passed', 'replaced', 'closed', 'unseen'));

-- A driver may wait for a connector of a station and in the queue of its site.
drop index free_alerts_one_open;
create unique index free_alerts_one_open on free_alerts (user_id, station_id) where ended_at is null and site_id is null;
create unique index free_alerts_one_place on free_alerts (user_id, site_id) where ended_at is null and site_id is not null;

-- A free connector is offered to one driver at a time, and so is power at a connector.
drop index free_alerts_one_offer;
create unique index free_alerts_one_offer on free_alerts (notified_connector_id)
  where ended_at is null and notified_connector_id is not null and site_id is null;
create unique index free_alerts_one_turn on free_alerts (notified_connector_id)
  where ended_at is null and notified_connector_id is not null and site_id is not null;

-- The open rows of each queue.
drop index free_alerts_site;
create index free_alerts_site on free_alerts (site_id, id) where ended_at is null and site_id is not null;
