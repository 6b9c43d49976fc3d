-- The store of payments writes what lists of operations show of a payment (decision 63), so the trigger that copied it is removed.

drop trigger payments_copy_to_operation on payments;
drop function copy_payment_to_operation();
