"""Creates a receiving event, replaces it and lists it, with a client that OpenAPI Generator made:
pip install ./lotkeeper-client && python send_event.py receiving-event.json
"""

import json
import os
import sys

import lotkeeper_client as lotkeeper
from lotkeeper_client.rest import ApiException

configuration = lotkeeper.Configuration(
    host=os.environ.get("LOTKEEPER_URL", "http://127.0.0.1:3000"), access_token=os.environ["LOTKEEPER_KEY"]
)
with open(sys.argv[1], encoding="utf-8") as file:
    receipt = json.load(file)

with lotkeeper.ApiClient(configuration) as client:
    events = lotkeeper.ReceivingEventsApi(client)
    payload = lotkeeper.ReceivingEventsPayload.from_dict(receipt)
    created = events.create_receiving_events(payload, idempotency_key="receipt-4711")
    [record_id] = created.request_ids

    # A replacement is the whole record: read it, change it, send all of it.
    record = events.read_receiving_event(record_id)
    record.event_list.purchase_order_number = "PO-88121"
    events.replace_receiving_event(record_id, record)
    print(f"Stored {record.event_list.purchase_order_number} as {record_id}")

    receipt["eventList"]["shipToLocationCode"] = "NOWHERE"
    wrong = lotkeeper.ReceivingEventsPayload.from_dict(receipt)
    try:
        events.create_receiving_events(wrong)
    except ApiException as refused:
        for finding in json.loads(refused.body)["findings"]:
            print(f"{finding['pointer']}: {finding['message']} {finding['remedy']}")

    lot = receipt["eventList"]["productList"][0]["caseLotNumber"]
    found = events.list_receiving_events(lot_code=[lot], limit=10)
    print(f"{len(found.content)} with this lot code")
