-- Charging and payments write the events of webhooks themselves, in the step of the change, so the triggers are removed.

drop trigger operations_inserted_webhooks on operations;
drop trigger operations_changed_webhooks on operations;
drop trigger payments_refunded_webhooks on payments;
drop function record_operation_events();
drop function record_refund_event();
drop function record_webhook_event(text, operations, timestamptz, jsonb);
drop function utc_text(timestamptz);
