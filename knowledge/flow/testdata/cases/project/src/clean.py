def drop_duplicates(frame):
    return frame.unique("event_id")
