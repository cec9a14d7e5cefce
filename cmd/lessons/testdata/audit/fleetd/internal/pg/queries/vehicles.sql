-- name: LoadVehicle :one
select id, plate, capacity, driver from vehicles where id = $1;

-- name: SaveVehicle :exec
update vehicles set driver = $2 where id = $1;
